import type { PendingReason, PendingUnit, RunPending } from '../contract/pending.ts'
import { asksOwnProviders } from './match/needs-of.ts'
import { sizeText } from './needs-text.ts'

/** `calm`: the run starts without anybody's help. */
type Told = { calm: boolean; title: string; text: string }

/** Says why a run with open trials has none under way; undefined: the service has not answered yet. */
export function pendingText(pending: Omit<RunPending, 'forecast'> | undefined): Told {
  if (!pending) return { calm: true, title: 'The run waits for an agent.', text: 'It starts by itself; nothing is lost meanwhile.' }
  const { agents, silent_agents, given, reasons } = pending
  if (agents === 0 && silent_agents > 0)
    return {
      calm: false,
      title: `The run waits for an agent: ${silent_agents === 1 ? 'the only one has' : `all ${silent_agents} have`} not been heard for 15 s or longer.`,
      text: 'It goes on by itself when one is heard again or another joins.',
    }
  if (agents === 0)
    return {
      calm: false,
      title: 'The run waits for an agent: none is connected.',
      text: 'The operator of this service starts one; the run then begins by itself, and nothing is lost.',
    }
  const [first] = reasons
  if (given > 0)
    return {
      calm: true,
      title: `The run is being prepared by ${given === 1 ? 'an agent' : `${given} agents`}.`,
      text: 'The agent opens the data, calls the model once as a check and pulls images where a benchmark has some.',
    }
  if (!first)
    return {
      calm: true,
      title: 'The run is about to start.',
      text: `${agents === 1 ? 'An agent is' : `${agents} agents are`} free to take it.`,
    }
  return { calm: reasons.every(({ kind }) => kind === 'busy'), title: `The run waits: ${reasonText(first)}.`, text: remedyOf(first) }
}

/** One reason in words, without a full stop: `1 CPU is needed, and 2 of 2 are held by run 2fb7c163 (31 items, about 8 min)`. */
export function reasonText(reason: PendingReason): string {
  const names = reason.benchmarks.join(', ')
  switch (reason.kind) {
    case 'no-capability':
      return `no connected agent has ${reason.capabilities.map(capabilityText).join(' and ')}`
    case 'no-sandbox':
      return `no connected agent has ${reason.sandboxes.map((kind) => sandboxWords[kind] ?? kind).join(' or ')}, which ${names} needs`
    case 'too-large':
      return `a trial of ${names} needs ${amountText(reason.unit, reason.needed)}, and the largest agent has ${amountText(reason.unit, reason.largest)}`
    case 'busy': {
      const held = `${numberText(reason.unit, reason.held)} of ${amountText(reason.unit, reason.total)} ${reason.held === 1 ? 'is' : 'are'} held`
      const [most, ...others] = reason.holders
      if (!most) return `it needs ${amountText(reason.unit, reason.needed)}, and ${held}`
      const whose = most.run_id === null ? 'another run' : `run ${most.run_id.slice(0, 8)}`
      const more = others.length === 0 ? '' : ` and ${others.length} more`
      const open = `${most.open} ${most.open === 1 ? 'item' : 'items'}, ${aboutText(most.about_s)}`
      return `it needs ${amountText(reason.unit, reason.needed)}, and ${held} by ${whose} (${open})${more}`
    }
  }
}

function remedyOf(reason: PendingReason): string {
  switch (reason.kind) {
    case 'busy':
      return 'It starts by itself when that is free.'
    case 'no-capability':
      return 'The operator of this service gives an agent the key or starts a newer agent; the run then begins by itself.'
    case 'no-sandbox':
      return 'The operator of this service starts an agent that has it: `bench doctor` on that machine says what it lacks.'
    case 'too-large':
      return 'The operator of this service starts an agent on a larger machine.'
  }
}

const sandboxWords: Readonly<Record<string, string>> = {
  bwrap: 'a bubblewrap sandbox',
  docker: 'a Docker sandbox',
  sandy: 'a Sandy sandbox',
  machine: 'Docker environments',
}

function capabilityText(name: string): string {
  const [kind, of] = name.split(':')
  if (kind === 'provider') return `a key for ${of}`
  if (kind === 'own-key') return `a way to ${of} with a key of the run's owner`
  if (name === asksOwnProviders) return "a version that asks providers of a run's owner"
  if (kind === 'sends') return `support for ${of}`
  return name === 'llm' ? 'a model client' : name
}

const numberText = (unit: PendingUnit, amount: number): string =>
  unit === 'memory_mb' || unit === 'disk_mb' ? sizeText(amount) : String(Math.round(amount * 10) / 10)

function amountText(unit: PendingUnit, amount: number): string {
  const number = numberText(unit, amount)
  if (unit === 'memory_mb') return `${number} of memory`
  if (unit === 'disk_mb') return `${number} of disk`
  if (unit === 'calls') return `${number} ${amount === 1 ? 'slot' : 'slots'}`
  return `${number} ${amount === 1 ? 'CPU' : 'CPUs'}`
}

const aboutText = (seconds: number): string => (seconds < 90 ? `about ${Math.ceil(seconds)} s` : `about ${Math.round(seconds / 60)} min`)
