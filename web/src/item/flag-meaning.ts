type Meaning = { name: string; sentence: string }

const meanings: Record<string, Meaning> = {
  unparsed: { name: 'no answer read', sentence: 'No answer could be read from the text; it counts as wrong.' },
  empty: { name: 'empty answer', sentence: 'The model answered with no text; it counts as wrong.' },
  truncated: { name: 'cut off', sentence: 'The answer was cut off at the token limit.' },
  refused: { name: 'refused', sentence: 'The model declined to answer, and its provider said so; the words of the refusal were scored.' },
  window_full: {
    name: 'window full',
    sentence: 'The answer was cut off before max_tokens: the model’s window was full. A larger max_tokens changes nothing.',
  },
  ended_early: {
    name: 'ended early',
    sentence:
      'The provider ended the answer with "length" before max_tokens: at a limit of its own, or its window was full where that is not known.',
  },
  limit: { name: 'limit met', sentence: 'A limit of the trial ended it; what the model had done by then was scored.' },
  transcript_lost: { name: 'transcript lost', sentence: 'The transcript was too long for the record and could not be kept apart from it.' },
  answer_cut: {
    name: 'answer kept apart',
    sentence: 'The answer is too large for the record: its beginning stands here, all that was scored lies in the file evidence.json.',
  },
  truncated_reasoning: { name: 'reasoning cut off', sentence: 'The reasoning was cut off before it ended.' },
  no_box: { name: 'nothing boxed', sentence: 'The answer has no \\boxed{}; the scorer looked elsewhere.' },
  unparsed_box: { name: 'unreadable box', sentence: 'The last \\boxed{} holds nothing that could be read.' },
  faulty_item: { name: 'known fault', sentence: 'The data set contradicts itself in this item; the README of the benchmark names it.' },
  withheld: { name: 'text withheld', sentence: 'The text is withheld: the data set is gated.' },
  diff_refused: {
    name: 'diff does not apply',
    sentence: 'The diff of the answer does not apply to the workspace; why stands with the build.',
  },
  build_failed: { name: 'could not be built', sentence: 'The diff applies, and what came of it could not be built.' },
  incomplete_diff: {
    name: 'diff never ended',
    sentence: 'The block of the diff never ends; the run allows that, and it was read to the end of the answer.',
  },
  diff_rewrite: { name: 'diff read loosely', sentence: 'The diff fits only where white space is passed over; the run allows that.' },
  max_steps: { name: 'too many steps', sentence: 'The dialogue met its limit of steps; it counts as wrong.' },
  too_many_errors: { name: 'too many failed calls', sentence: 'Too many calls of tools failed; it counts as wrong.' },
  usage_unknown: { name: 'tokens not counted', sentence: 'The provider told no tokens, so that nothing is earned for few of them.' },
  begun_anew: {
    name: 'begun anew',
    sentence: 'An earlier try at the dialogue broke off, as with arguments that are no JSON, and it was begun anew, as officially.',
  },
  early_exit: {
    name: 'ended early',
    sentence: 'A script ended before its tests had run; by the official rule its exit status decides all the same.',
  },
  empty_patch: { name: 'nothing changed', sentence: 'The agent left no change that counts; what is binary does not.' },
  gold_fails: { name: 'known trouble', sentence: 'The official solution of this instance is known to fail its own tests.' },
  patch_refused: { name: 'patch does not apply', sentence: 'The change does not apply to the repository where it is graded.' },
  tests_timed_out: {
    name: 'tests ran out of time',
    sentence: 'The tests took longer than they may; what had no result by then did not pass.',
  },
  no_results: { name: 'no test results', sentence: 'The tests left no results that could be read.' },
  agent_timeout: {
    name: 'agent out of time',
    sentence: 'The agent’s time was up before it said that it is done; what it had done was graded.',
  },
  turn_limit: { name: 'out of turns', sentence: 'The agent used up its turns; what it had done was graded.' },
  context_exhausted: { name: 'out of context', sentence: 'Nothing more fitted into the model’s context; what was done was graded.' },
  verifier_timeout: {
    name: 'verifier out of time',
    sentence: 'The task’s tests took longer than they may; without a reward the episode counts as 0.',
  },
  no_reward: { name: 'reward missing', sentence: 'The task’s tests left no reward that could be read; the episode counts as 0.' },
  needed_processes: {
    name: 'needed a process that ran on',
    sentence:
      'What the agent had left running was needed: without it the tests gave less. A service that the task asks for is such a process.',
  },
  partial_reward: { name: 'part of the reward', sentence: 'A reward lies between 0 and 1.' },
  reward_before_tests: { name: 'reward forged', sentence: 'A reward was there before the tests began: the episode counts as 0.' },
  reward_after_tests: { name: 'reward changed', sentence: 'The reward changed after the tests had ended: the episode counts as 0.' },
  tests_changed: { name: 'tests changed', sentence: 'Test files were changed while the tests ran: the episode counts as 0.' },
  tools_replaced: { name: 'tools replaced', sentence: 'Programs that tests rely on were replaced by wrappers: the episode counts as 0.' },
  processes_stayed: {
    name: 'processes stayed',
    sentence: 'Something could not be ended or removed before the tests: the episode counts as 0.',
  },
  missing_program: { name: 'step without program', sentence: 'At least one step has no program; it counts as not passed.' },
  level_1: { name: 'stated as asked', sentence: 'Read by the first pattern: the answer was stated as asked.' },
  level_2: { name: 'read after a marker', sentence: 'Read by fallback pattern 2: not stated as asked, but after a word like “answer:”.' },
  level_3: {
    name: 'last letter read',
    sentence: 'Read by fallback pattern 3: no answer was stated, so the last letter that stands alone was taken.',
  },
}

/** What a flag means, in a sentence; a flag the page does not know explains itself by its name. */
export function flagMeaning(flag: string): string {
  return meanings[flag]?.sentence ?? flag.replaceAll('_', ' ')
}

/** A flag in two or three plain words. */
export function flagName(flag: string): string {
  return meanings[flag]?.name ?? flag.replaceAll('_', ' ')
}

/** Whether a flag is worth a word in a list: that an answer was read as it should be is not. */
export function remarkable(flag: string): boolean {
  return flag !== 'level_1'
}
