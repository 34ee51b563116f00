import { expect, test } from 'vitest'
import * as z from 'zod'
import { RunEvent } from '#shared/contract/event.ts'
import { foreignSource } from '#shared/contract/foreign.ts'
import { Snapshot } from '#shared/contract/snapshot.ts'
import { openApp } from './testing/call-app.ts'

/** Paths of all fields of a schema that may hold any text, `[]` for members of lists and `*` for those of records. */
function freeTexts(schema: z.core.$ZodType, path: string): string[] {
  if (foreignSource(schema)) return []
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return isClosed(schema) ? [] : [path]
    case 'any':
    case 'unknown':
    case 'lazy':
      return [path]
    case 'nullable':
    case 'optional':
    case 'default':
    case 'catch':
    case 'readonly':
      return freeTexts(def.innerType, path)
    case 'array':
      return freeTexts(def.element, `${path}[]`)
    case 'record':
      return [...freeTexts(def.keyType, `${path}.*key`), ...freeTexts(def.valueType, `${path}.*`)]
    case 'tuple':
      return def.items.flatMap((item) => freeTexts(item, `${path}[]`))
    case 'union':
      return def.options.flatMap((option) => freeTexts(option, path))
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) => freeTexts(field, path === '' ? name : `${path}.${name}`))
    default:
      return []
  }
}
function isClosed(schema: z.core.$ZodType): boolean {
  const checks = (schema as z.core.$ZodString)._zod.def.checks ?? []
  const format = (schema as z.core.$ZodStringFormat)._zod.def.format
  return format !== undefined || checks.some((check) => check._zod.def.check === 'string_format')
}

/** Names of fields whose text is ours or was closed, counted or chosen before anything was asked. Words that somebody else says are made with `foreign`. */
const ours: Record<string, RegExp> = {
  'moments and hashes': /(_at|\.at|_seen|valid_from|item_hash|fingerprint|checksum|public_key|revision)$/,
  'names and ids':
    /(^|\.)(id|key|name|model|names?\[\]|tags\[\]|.*_id|.*_name|.*_slug|slug|host|hostname|session|version|.*_version|provider|user|chute_id|profile|original_filename|agent|item|job)$/,
  'what a card says':
    /(^|\.)card\.|(^|\.)data\.(repo|files\[\]\.(path|role|from\.repo))$|(^|\.)needs\.sandbox\.images\[\]$|(^|\.)(category|description|setup_notes|data_source|headline|benchmark)$/,
  'what a catalogue says of a model': /^models\[\]\./,
  'what a run waits for, by the names of benchmarks and kinds of sandboxes':
    /^reasons\[\]\.(benchmarks|sandboxes)\[\]$|^benchmarks\[\]\.lacks$/,
  'owners, by the label of their key': /^(keys\[\]\.)?owner$/,
  'what a person is told of himself':
    /^(user\.username|((members|invitations)\[\]\.)?username|team|secret|link|return_to|sessions\[\]\.browser|entries\[\]\.(actor_id|actor_kind|key_id|target|owner_id|detail\.\*(key)?|address|request_id))$/,
  'what a composite and its parts are called, and the benchmarks they are made of': /^composites\[\]\./,
  'what was asked for':
    /(^|\.)(subset_seed|subset\.seed|judge|judge\.model|roles\.\*(\.model)?|params\.(reasoning_effort|stop\[\])|selected_benchmarks\[\]|\w+_runs\[\]\.benchmarks\[\]|profiles\.\*|(mended|official)\.absent\[\]|scopes\[\])$/,
  'classes of failures and flags': /(^|\.)(failure|parked\.reason|event\.data\.reason|flags\[\]|.*\.\*key)$|^(after|before)\.\*key$/,
  "a data set's own categories": /(^|\.)group$/,
  'our own sentences':
    /^(message|poll_url|runs\[\]\.url|notes\[\]|errors\[\]|checks\[\]\.detail)$|(^|\.)proofs\[\]\.(probed|detail)$|(^|\.)(method|capabilities\[\]|event_type)$/,
  'keys of a person at providers, and what that person has set for the own runs':
    /^((keys|offered)\[\]\.|own_key\.)?(label|base_url|last4)$|^origins\[\]$|^defaults\.reasoning_effort$/,
  'our own sums':
    /(^|\.)streaming\.figures\.\*\.unit$|(^|\.)benchmarks?(\[\])?\.((metrics|estimates)\.\*|error_message|warning)$|(^|\.)provider_metadata\.\*$/,
  'what this deployment lacks, by the names of its variables': /^faults\[\]\./,
  'neighbours by their ids': /^(previous|next)$/,
  'lines of a stream, whose events have passed that view': /^data$/,
  'passed through the view of the run, which reads each by its own contract': /^events\[\]\.(message|data\.\*(key)?)$|^run$|^trials\[\]$/,
}

/** Free texts of every contract by which a route answers or a run tells what happened. */
function allFreeTexts(routes = openApp().app.openAPIRegistry.definitions): string[] {
  const found = [...freeTexts(RunEvent, 'event'), ...freeTexts(Snapshot, '')]
  for (const definition of routes) {
    if (definition.type !== 'route') continue
    for (const [status, answer] of Object.entries(definition.route.responses)) {
      const bodies = status.startsWith('2') && 'content' in answer ? Object.values(answer.content ?? {}) : []
      for (const body of bodies) if (body && 'schema' in body) found.push(...freeTexts(body.schema as z.ZodType, '')) // routes are declared with zod
    }
  }
  return [...new Set(found)].filter((path) => path !== '')
}

test('[SEC1] every free text that the API can answer is made with `foreign`, or its name is among the ones that are ours', () => {
  const paths = allFreeTexts()
  expect(paths.length).toBeGreaterThan(100)
  expect(paths.filter((path) => !Object.values(ours).some((known) => known.test(path)))).toEqual([])
})

test('[SEC1] a new field for what a provider said is noticed', () => {
  const planted = z.object({
    event_type: z.literal('provider_trouble'),
    data: z.object({ last_error: z.string(), detail: z.string(), text: z.json() }),
  })
  const found = freeTexts(planted, 'event').filter((path) => !Object.values(ours).some((known) => known.test(path)))
  expect(found).toEqual(['event.data.last_error', 'event.data.detail', 'event.data.text'])
})
