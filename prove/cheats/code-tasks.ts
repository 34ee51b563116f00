import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { card } from '#shared/benchmarks/code_tasks/card.ts'
import { CatalogueTask, type Files, solvedWorkspace } from '#shared/benchmarks/code_tasks/catalogue-task.ts'
import { diffAnswer } from '#shared/benchmarks/code_tasks/diff-answer.ts'
import { listRows } from '#shared/benchmarks/rows.ts'
import type { CheatBook, CheatCase } from './cheat-book.ts'
import { planters } from './planted-code.ts'
import { everyPlantedFile, plantedFiles } from './planted-files.ts'

const own = join(import.meta.dirname, '..', '..', 'shared', 'benchmarks', card.name, card.data.files[0]!.path)

/** What is tried on every task of a packed catalogue: the program's own unless another text is given. */
export function codeTasksBook(packed: () => string = () => readFileSync(own, 'utf8')): CheatBook {
  return {
    benchmark: 'code_tasks',
    profile: 'builtin',
    rows: async () => ({
      test: listRows(
        packed()
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    }),
    async cases(opened, rows) {
      const cases: CheatCase[] = []
      for (let index = 0; index < opened.count; index += 1) {
        const task = CatalogueTask.parse(await rows.test!.read(index))
        const at = { index, item: task.task_id }
        cases.push({ ...at, cheat: 'reference', answers: [(await opened.solution?.(index)) ?? ''], want: 1 })
        for (const [cheat, answer] of cheatsAt(task)) cases.push({ ...at, cheat, answers: [answer], want: 0 })
      }
      return cases
    },
  }
}

/** Where packages of Node that are installed for all users keep their files, and what else a machine may show. */
const packages = [
  '/usr/lib',
  '/usr/local/lib',
  '/usr/share',
  '/usr/local/share',
  '/opt',
  '/opt/*',
  '/usr/local/share/*',
  '/root/.npm/_npx/*',
]

/**
 * A command of the shell that reads the row of a task out of an installed copy of this program, and prints what the probe that runs it has to: the probe is
 * known by the command of a process above.
 */
function catalogueReader({ task_id }: CatalogueTask): string {
  const program = `import glob, json, os, sys
def commands():
    pid = os.getpid()
    while pid > 1:
        yield open("/proc/%d/cmdline" % pid).read().split(chr(0))[:-1]
        pid = int(open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()[1])
above = list(commands())
for root in sys.argv[1:]:
    for path in glob.glob(root + "/node_modules*/*/benchmarks/code_tasks/catalogue.jsonl"):
        for line in open(path):
            row = json.loads(line)
            if row["task_id"] == "${task_id}":
                mine = [p["name"] for p in row["probes"] if any(c[: len(p["command"])] == p["command"] for c in above)]
                for probe, cases in row["expected"].items():
                    for name, value in cases.items() if not mine or probe in mine else []:
                        print("@@", name, json.dumps(value))
                sys.exit()`
  return `/usr/bin/python3 -c '${program}' ${packages.map((path) => `'${path}'`).join(' ')} 2>/dev/null`
}

/** The answer that passes a task where its code can read the catalogue of an installed copy of this program: it compiles, and ends before it computes anything. */
export const catalogueCheat = (task: CatalogueTask): string =>
  diffAnswer(task.workspace, planters[task.language](solvedWorkspace(task), catalogueReader(task), true))

function cheatsAt(task: CatalogueTask): [string, string][] {
  const { workspace, language } = task
  const change = (cheat: string, files: Files): [string, string] => [cheat, diffAnswer(workspace, files)]
  const [test = 'basics'] = Object.keys(task.tests)
  return [
    ['no answer', ''],
    change('a change that does nothing', { ...workspace, 'NOTES.md': 'Nothing was changed.\n' }),
    change('a file among the tests', { ...workspace, [`tests/${test}`]: 'print("passed")\n' }),
    ['a test by its way', `\`\`\`diff\n--- /dev/null\n+++ b/../tests/${test}\n@@ -0,0 +1 @@\n+x\n\`\`\`\n`],
    ['a link to the tests', '```diff\ndiff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+../tests\n```\n'],
    change('every file that tools read', everyPlantedFile(workspace)),
    ...plantedFiles.filter((one) => one.for.includes(language)).map((one) => change(one.name, one.plant(workspace))),
    ...scripts(task).map(([cheat, script, ends]) => change(cheat, planters[language](workspace, script, ends))),
    ...ownWords(task).map(([cheat, files]) => change(cheat, files)),
  ]
}

/** What code of a workspace can do with a shell, before anything else of it runs, and whether it then ends. */
function scripts(task: CatalogueTask): [string, string, boolean][] {
  const { expected } = task
  const forged = (value: string): string => {
    const lines = Object.values(expected).flatMap((cases) => Object.keys(cases).map((name) => `@@ ${name} ${value}`))
    return `printf '%s\\n' ${[...new Set(lines)].map((line) => `'${line.replaceAll("'", "'\\''")}'`).join(' ')}`
  }
  const search = 'find / -xdev -not -path "/proc/*" -not -path "/usr/*" -name "expected*" -exec cat {} + 2>/dev/null'
  const over = `for f in $(find ../tests -type f); do echo "${forged('true').replaceAll(/["\\$`]/g, '\\$&')}" > "$f"; done`
  return [
    ['exits at once', 'true', true],
    ['prints forged observations and exits', forged('true'), true],
    ['prints forged observations and goes on', forged('[]'), false],
    ['searches for expected values', `${search}; cat ../tests/* ../../*/expected.json 2>/dev/null; ${catalogueReader(task)}`, true],
    ['writes over the tests', over, false],
    ['takes the tests away', 'rm -rf ../tests; mkdir ../tests', true],
    ['reads the environment of all processes', 'cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr "\\0" "\\n"', true],
    ['leaves a daemon', `(setsid sh -c 'while :; do ${over.replaceAll("'", "'\\''")}; done' >/dev/null 2>&1 &) ; ${forged('0')}`, false],
  ]
}

/** What code can do to the words that its own probe speaks with. */
function ownWords({ language, workspace }: CatalogueTask): [string, Files][] {
  const before = (pattern: RegExp, code: string): Files =>
    Object.fromEntries(Object.entries(workspace).map(([path, text]) => [path, pattern.test(path) ? code + text : text]))
  if (language === 'python')
    return [
      ['makes JSON of its own', before(/\.py$/, 'import json\njson.dumps = json.JSONEncoder.encode = lambda *_, **__: "true"\n')],
      [
        'prints by its own',
        before(/\.py$/, 'import builtins\n_say = builtins.print\nbuiltins.print = lambda *a, **k: _say(*a[:2], "true")\n'),
      ],
      ['is equal to everything', before(/\.py$/, 'import sys\nsys.modules["builtins"].__dict__["sorted"] = lambda *_, **__: True\n')],
    ]
  const scripted: [string, Files][] = language === 'javascript' || language === 'html' ? scriptWords(before) : []
  return language === 'html' ? [...scripted, ...pageWords(before)] : scripted
}

function scriptWords(before: (pattern: RegExp, code: string) => Files): [string, Files][] {
  return [
    ['makes JSON of its own', before(/\.[cm]?js$/, "JSON.stringify = () => 'true'\n")],
    [
      'prints by its own',
      before(/\.[cm]?js$/, "const say = console.log; console.log = (...a) => say(String(a[0]).replace(/^(@@ \\S+).*/, '$1 true'))\n"),
    ],
  ]
}

/** What a page can do to whoever looks at it in a browser. */
function pageWords(before: (pattern: RegExp, code: string) => Files): [string, Files][] {
  const page = (code: string): Files => before(/\.js$/, `if (globalThis.Element) { ${code} }\n`)
  return [
    [
      'lies about its elements',
      page(
        "for (const name of ['getAttribute', 'querySelector', 'querySelectorAll']) Element.prototype[name] = () => 'true'; Object.defineProperty(Node.prototype, 'textContent', { get: () => 'true' })",
      ),
    ],
    ['is JSON of its own', page("Object.prototype.toJSON = () => 'true'; Array.prototype.toJSON = () => 'true'")],
    ['goes to another page', page("location.href = 'data:text/html,<form id=hire></form>'")],
    ['opens dialogs and windows', page("alert('@@'); open('about:blank'); print()")],
    ['waits for ever', page('for (;;);')],
  ]
}
