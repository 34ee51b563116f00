import { spawnSync } from 'node:child_process'
import { sha256 } from '@noble/hashes/sha2.js'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { toHex } from './bytes.ts'
import { legacyJson } from './legacy-json.ts'
import { forge, pack, signed, unpack } from './testing/forge.ts'
import { sampleBundle, sampleRun, trusting, vectorKey } from './testing/sample-run.ts'
import { verifyBundle } from './verify.ts'
import type { CheckName, VerifyReport } from './verify-report.ts'

const python = spawnSync('python3', ['--version']).status === 0
if (!python) console.log('verify-predecessor.test.ts: no python3 here, the archive it would make is skipped')

const failed = (report: VerifyReport): CheckName[] => report.checks.filter((check) => check.ok === false).map((check) => check.name)

const oldResults = `{"benchmarks":[{"benchmark_name":"mmlu_pro","completed_items":2,"items":[{"created_at":"2026-01-20T10:00:00Z","error":null,"expected":"A","input_tokens":10,"is_correct":true,"item_hash":"aa","item_id":"0","item_metadata":null,"judge_output":null,"latency_ms":812,"output_tokens":5,"prompt":"\\u00e9","response":"A","score":1.0,"test_code":null}],"metrics":{"accuracy":0.5,"sampled_pct":1e-05},"sampled_item_ids":["0","1"],"sampled_items":2,"score":0.5,"status":"succeeded","total_items":12032}],"exported_at":"2026-01-20T10:00:02Z","run":{"code_version":null,"completed_at":"2026-01-20T10:00:01Z","created_at":"2026-01-20T09:00:00Z","error_message":null,"git_sha":null,"id":"r1","model_id":"m1","model_slug":"old/model","overall_score":0.5,"provider":"chutes","provider_metadata":null,"selected_benchmarks":["mmlu_pro"],"started_at":"2026-01-20T09:00:01Z","status":"succeeded","subset_count":null,"subset_pct":1,"subset_seed":null},"schema_version":"1.0"}`
const oldManifest = (results: string) =>
  legacyJson({
    schema_version: '1.0',
    run_id: 'r1',
    generated_at: '2026-01-20T10:00:02Z',
    results_sha256: toHex(sha256(new TextEncoder().encode(results))),
    signature_algorithm: 'ed25519',
    public_key_fingerprint: vectorKey.fingerprint,
  })
const oldZip = async (results: string) => {
  const members = await signed(results, oldManifest(results), vectorKey)
  // Left to the clock, fflate reads it twice a member, and headers that straddle a tick of two seconds contradict each other.
  return zipSync(Object.fromEntries(Object.entries(members).map(([name, text]) => [name, new TextEncoder().encode(text)])), {
    mtime: '2026-01-20',
  })
}

test("[EXP19] the predecessor's bundles verify: signature and hash, nothing computed anew", async () => {
  const bundle = await oldZip(oldResults)
  const report = await verifyBundle(bundle, trusting(vectorKey))
  expect(report).toMatchObject({
    valid: true,
    format: 'predecessor',
    run_id: 'r1',
    model_slug: 'old/model',
    overall_score: 0.5,
    benchmark_count: 1,
  })
  expect(report.checks.find((check) => check.name === 'scores')?.ok).toBe(null)
  const accepted: number[] = []
  for (let at = 0; at < bundle.length; at++) {
    const changed = bundle.slice()
    changed[at]! ^= 1 << (at % 8)
    const verdict = await verifyBundle(changed, trusting(vectorKey))
    const same = JSON.stringify(verdict) === JSON.stringify(report)
    if (verdict.valid && !same) accepted.push(at)
  }
  expect(accepted).toEqual([])
  expect(failed(await verifyBundle(await oldZip(oldResults.replace('"r1"', '"r2"')), trusting(vectorKey)))).toEqual(['consistency'])
  expect(failed(await verifyBundle(await oldZip(oldResults.replace('1.0', '1.00')), trusting(vectorKey)))).toEqual(['canonical'])
})

test.skipIf(!python)('[EXP19] an archive made by python3 as the predecessor made it verifies', async () => {
  const members = await signed(oldResults, oldManifest(oldResults), vectorKey)
  const program =
    'import io,json,sys,zipfile\nout=io.BytesIO()\nwith zipfile.ZipFile(out,"w",zipfile.ZIP_DEFLATED) as z:\n  for name,text in json.load(sys.stdin).items(): z.writestr(name,text)\nsys.stdout.buffer.write(out.getvalue())'
  const { stdout } = spawnSync('python3', ['-c', program], { input: JSON.stringify(members) })
  const report = await verifyBundle(new Uint8Array(stdout), trusting(vectorKey))
  expect([report.valid, report.format, report.errors]).toEqual([true, 'predecessor', []])
})

test("[EXP19] our own bundle cannot be passed off as the predecessor's", async () => {
  const { 'items.jsonl': _items, ...members } = await unpack(await sampleBundle(sampleRun(3)))
  const { run_id, results_sha256, ...told } = JSON.parse(members['manifest.json']!)
  const named = { schema_version: '1.0', run_id, results_sha256, generated_at: told.generated_at }
  const signer = { signature_algorithm: told.signature_algorithm, public_key_fingerprint: told.public_key_fingerprint }
  const stripped = await pack({ ...members, 'manifest.json': legacyJson({ ...named, ...signer }) })
  expect(failed(await verifyBundle(stripped, trusting(vectorKey)))).toContain('signature')
})

test('[EXP19] a bundle of another format than ours is refused, by its manifest and by its results', async () => {
  const bundle = await sampleBundle(sampleRun(3))
  for (const format of ['chutes-bench-runner/2', 'chutes-bench-runner/4']) {
    const told = await forge(bundle, vectorKey, () => {}, { editManifest: (own) => Object.assign(own, { format }) })
    expect(failed(await verifyBundle(told, trusting(vectorKey)))).toEqual(['manifest'])
    const other = await forge(bundle, vectorKey, ({ results }) => Object.assign(results, { format }))
    expect(failed(await verifyBundle(other, trusting(vectorKey)))).toEqual(['schema'])
  }
})
