#!/usr/bin/env node
import { run } from '../src/run.js'

const now = new Date()
const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
const { code, out, err } = run(process.argv.slice(2), { file: process.env.TODO_FILE ?? 'todo.json', today: process.env.TODO_TODAY ?? today })
process.stdout.write(out)
process.stderr.write(err)
process.exitCode = code
