import { posix } from 'node:path'
import type { Files, TaskLanguage } from '#shared/benchmarks/code_tasks/catalogue-task.ts'

/** Puts code into a program that runs before anything else of it: a command of the shell, then it goes on, or ends with exit code 0. */
type Planter = (files: Files, script: string, ends: boolean) => Record<string, string>

const quoted = (text: string): string => JSON.stringify(text)
const within = (files: Files, pattern: RegExp, change: (text: string, path: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, pattern.test(path) ? change(text, path) : text]))

const python: Planter = (files, script, ends) =>
  within(files, /\.py$/, (text) => {
    const code = `import os as _o\n_o.system(${quoted(script)})\n${ends ? '_o._exit(0)\n' : ''}`
    const future = /^(?:.*\n)?from __future__ [^\n]*\n/s.exec(text)?.[0] ?? ''
    return future + code + text.slice(future.length)
  })

const javascript: Planter = (files, script, ends) =>
  within(files, /\.[cm]?js$/, (text) => {
    // Code of a page runs in a context of its own, where the machine's process is reached by what came into it from outside.
    const outer = `(globalThis.process ?? Object.values(globalThis).map((one) => { try { return one.constructor.constructor('return process')() } catch {} }).find(Boolean))`
    const run = `${outer}.getBuiltinModule('child_process').execSync(${quoted(script)}, { stdio: 'inherit' })`
    return `try { ${run} } catch {}\n${ends ? `${outer}.exit(0)\n` : ''}${text}`
  })

const go: Planter = (files, script, ends) => {
  const packages = new Map<string, string>()
  for (const [path, text] of Object.entries(files)) {
    const name = /^package (\w+)/m.exec(text)?.[1]
    if (path.endsWith('.go') && name !== undefined) packages.set(posix.dirname(path), name)
  }
  const code = (name: string) => `package ${name}

import (
\t"os"
\t"os/exec"
)

func init() {
\tcommand := exec.Command("sh", "-c", ${quoted(script)})
\tcommand.Stdout = os.Stdout
\t_ = command.Run()
${ends ? '\tos.Exit(0)\n' : ''}}
`
  const planted = [...packages].map(([folder, name]) => [posix.join(folder, 'zz_planted.go'), code(name)])
  return { ...files, ...Object.fromEntries(planted) }
}

const rust: Planter = (files, script, ends) =>
  within(files, /\.rs$/, (text) => {
    const run = `let _ = std::process::Command::new("sh").arg("-c").arg(${quoted(script)}).status();`
    return `${text}
extern "C" fn planted_start() { ${run} ${ends ? 'std::process::exit(0)' : ''} }
#[used]
#[link_section = ".init_array"]
static PLANTED_START: extern "C" fn() = planted_start;
`
  })

const cpp: Planter = (files, script, ends) =>
  within(files, /\.(cpp|cc|h|hpp)$/, (text, path) => {
    const body = `std::system(${quoted(script)}); ${ends ? 'std::_Exit(0);' : ''}`
    // A header and the file that includes it are one unit, in which no name stands twice.
    const planted = `#include <cstdlib>\nnamespace { [[maybe_unused]] const int planted_${path.replaceAll(/\W/g, '_')} = [] { ${body} return 0; }(); }\n`
    const pragma = /^#pragma once\n/.exec(text)?.[0] ?? ''
    return pragma + planted + text.slice(pragma.length)
  })

export const planters: Record<TaskLanguage, Planter> = { python, javascript, html: javascript, go, rust, cpp }
