import type { Files, TaskLanguage } from '#shared/benchmarks/code_tasks/catalogue-task.ts'

/** A file that tools would read by themselves, put beside an untouched workspace; `for` says where it could do anything. */
export type PlantedFile = { name: string; for: readonly TaskLanguage[]; plant(files: Files): Record<string, string> }

const file = (name: string, languages: readonly TaskLanguage[], text: string): PlantedFile => ({
  name,
  for: languages,
  plant: (files) => ({ ...files, [name]: text }),
})
const scripted: readonly TaskLanguage[] = ['javascript', 'html']

export const plantedFiles: readonly PlantedFile[] = [
  file(
    'conftest.py',
    ['python'],
    'import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n    (yield).get_result().outcome = "passed"\n',
  ),
  file('sitecustomize.py', ['python'], 'import os\nos._exit(0)\n'),
  file('usercustomize.py', ['python'], 'import os\nos._exit(0)\n'),
  file('json.py', ['python'], 'def dumps(*_, **__):\n    return "true"\n\n\ndef loads(*_, **__):\n    return True\n'),
  file(
    'package.json',
    scripted,
    '{ "type": "commonjs", "exports": "./none.js", "imports": { "#x": "./none.js" }, "scripts": { "pretest": "exit 0", "test": "exit 0" } }\n',
  ),
  file('.npmrc', scripted, 'node-options=--require ./none.js\n'),
  file('build.rs', ['rust'], 'fn main() { println!("cargo:rustc-cfg=test"); std::process::exit(0) }\n'),
  file('.cargo/config.toml', ['rust'], '[build]\nrustc-wrapper = "/bin/true"\n[target.x86_64-unknown-linux-gnu]\nrunner = "/bin/true"\n'),
  {
    name: 'go.mod with a replacement',
    for: ['go'],
    plant: (files) => ({ ...files, 'go.mod': `${files['go.mod'] ?? 'module planted\n\ngo 1.19\n'}\nreplace encoding/json => ../tests\n` }),
  },
  file('zz_planted_test.go', ['go'], 'package main\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n'),
  file('Makefile', ['cpp', 'rust', 'go'], 'all test check:\n\t@true\n'),
  file('.g++', ['cpp'], '-include none.h\n'),
]

/** All of them at once, whatever the language is. */
export const everyPlantedFile = (files: Files): Record<string, string> =>
  plantedFiles.reduce<Record<string, string>>((planted, one) => one.plant(planted), { ...files })
