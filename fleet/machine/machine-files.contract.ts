import { deepEqual, equal, ok } from 'node:assert/strict'
import type { MachineExec } from '#shared/solvers/machine.ts'
import { bytesOf, limits, type MachineRule, opened, run, text, textOf } from './machine.contract.ts'

/** What every machine promises about files. */
export const machineFilesContract: readonly MachineRule[] = [
  {
    rule: 'MACH5',
    name: 'uploaded files are root’s, with permissions and no other bits, over what was there; folders stay as they were, links give way to them',
    check: async (open) => {
      await using box = await opened(open)
      const planted = `mkdir -p /tests/sub /decoy; ln -s /decoy /tests/deep; ln -s /etc/hostname /tests/file; mkdir /tests/is-folder; chmod 1777 /tests/sub
        ln -s /decoy /elsewhere; ln -s /nowhere /logs; touch /solution`
      equal((await run(box, planted)).exit_code, 0)
      const files = [
        { path: 'file', mode: 0o6755, bytes: bytesOf('one') },
        { path: 'deep/er/two', mode: 0o600, bytes: bytesOf('two') },
        { path: 'sub/three', mode: 0o644, bytes: new Uint8Array(300_000) },
        { path: `sub/${'long-'.repeat(40)}name`, mode: 0o644, bytes: bytesOf('long') },
      ]
      equal(await box.upload('/tests', files), 'written')
      equal(await box.upload('/elsewhere/', [files[0]!]), 'written')
      for (const place of ['/new/place', '/logs/verifier', '/solution/of/it', '/var/run/below'])
        equal(await box.upload(place, [files[1]!]), 'written')
      equal(textOf(await run(box, 'cat /logs/verifier/deep/er/two /solution/of/it/deep/er/two; readlink /var/run')), 'twotwo/run\n')
      const listed = await run(
        box,
        `cd / && stat -c '%n %a %U %F' tests/file tests/deep tests/deep/er/two tests/sub tests/sub/three elsewhere new/place
        cat tests/file new/place/deep/er/two; ls /decoy; cat /tests/sub/long*; ls -d /tests/is-folder`,
      )
      equal(
        textOf(listed),
        `tests/file 755 root regular file\ntests/deep 755 root directory\ntests/deep/er/two 600 root regular file\ntests/sub 1777 root directory
tests/sub/three 644 root regular file\nelsewhere 755 root directory\nnew/place 755 root directory\nonetwolong/tests/is-folder\n`,
      )
    },
  },
  {
    rule: 'MACH6',
    name: 'a download gives plain files and nothing else, at most so many bytes, and follows no link',
    check: async (open) => {
      await using box = await opened(open)
      const planted = `mkdir -p out/sub; printf a > out/a; printf bb > out/sub/b; ln out/a out/hard; ln -s /etc/passwd out/link; ln -s /etc out/folder
        mkfifo out/fifo; chmod 4711 out/a; truncate -s 4T out/../huge; mknod out/null c 1 3; ln -s out linked; printf x > 'out/with space'`
      equal((await run(box, planted)).exit_code, 0)
      const got = await box.download('/work/out/', 1000)
      ok(got.ok && got.folder)
      const files = got.files.map(({ path, mode, bytes }) => [path, mode, text(bytes)]).sort()
      deepEqual(files, [
        ['a', 0o711, 'a'],
        ['hard', 0o711, 'a'],
        ['sub/b', 0o644, 'bb'],
        ['with space', 0o644, 'x'],
      ])
      const one = await box.download('/work/out/a', 1)
      deepEqual(one.ok && !one.folder && one.files.map(({ path, bytes }) => [path, text(bytes)]), [['a', 'a']])
      const unsafe = { '/work/out/link': 'link', '/work/linked': 'link', '/work/out/fifo': 'special', '/work/out/null': 'special' }
      for (const [path, entry] of Object.entries(unsafe))
        deepEqual([path, await box.download(path, 100_000)], [path, { ok: false, reason: 'unsafe', entry }])
      deepEqual(await box.download('/work/out', 4), { ok: false, reason: 'too-large' })
      deepEqual(await box.download('/work/huge', 1e6), { ok: false, reason: 'too-large' })
      for (const path of ['/nowhere', '/work/out/a/b'])
        deepEqual([path, await box.download(path, 1)], [path, { ok: false, reason: 'absent' }])
    },
  },
  {
    rule: 'MACH51',
    name: 'files that are put with a command are there when it starts, root’s and as they were given, whatever the machine can do, and it has no input',
    check: async (open) => {
      await using box = await opened(open)
      const files = [
        {
          path: 'run.sh',
          mode: 0o4755,
          bytes: bytesOf('#!/bin/bash\nstat -c "%n %a %U" $(find "$(dirname "$0")" | sort); cat; echo "$@"; exit 98\n'),
        },
        { path: 'deep/er/one', mode: 0o600, bytes: bytesOf('one') },
      ]
      const listed = (at: string) =>
        `${at} 755 root\n${at}/deep 755 root\n${at}/deep/er 755 root\n${at}/deep/er/one 600 root\n${at}/run.sh 755 root\n`
      const put = async (path: string, more: Partial<MachineExec> = {}) => {
        const { end, exit_code, ...said } = await box.exec({ argv: [`${path}/run.sh`, 'a b'], ...limits, put: { path, files }, ...more })
        return [end, exit_code, textOf({ end, exit_code, ...said })]
      }
      deepEqual(await put('/first'), ['exited', 98, `${listed('/first')}a b\n`])
      // A folder that is there already keeps what is in it, and a link gives way to one.
      equal((await run(box, 'mkdir /there; touch /there/other; ln -s /etc /link')).exit_code, 0)
      deepEqual(await put('/link'), ['exited', 98, `${listed('/link')}a b\n`])
      equal((await put('/there'))[2], `${listed('/there').replace('/there/run.sh', '/there/other 644 root\n/there/run.sh')}a b\n`)
      deepEqual(await put('/de/ep'), ['exited', 98, `${listed('/de/ep')}a b\n`])
      equal((await run(box, 'rm /bin/tar')).exit_code, 0)
      deepEqual(await put('/last'), ['exited', 98, `${listed('/last')}a b\n`])
      await using other = await opened(open)
      const { exit_code } = await other.exec({ argv: ['/own/run.sh'], ...limits, put: { path: '/own', files }, user: 'nobody' })
      deepEqual([exit_code, textOf(await run(other, 'stat -c %U /own /own/deep/er/one'))], [98, 'root\nroot\n'])
    },
  },
  {
    rule: 'MACH52',
    name: 'the stamp of a folder changes with what is put into it or taken from it; there is none of what is no folder',
    check: async (open) => {
      await using box = await opened(open)
      equal(await box.folderStamp('/work/made'), null)
      equal((await run(box, 'mkdir /work/made; touch /work/file; ln -s made /work/link')).exit_code, 0)
      const seen = [await box.folderStamp('/work/made')]
      for (const change of ['touch made/one', 'mkdir made/two', 'mv made/one made/three', 'rm -r made/two']) {
        equal(await box.folderStamp('/work/made'), seen.at(-1))
        equal((await run(box, `sleep 0.02; ${change}`)).exit_code, 0)
        seen.push(await box.folderStamp('/work/made'))
      }
      equal(new Set(seen).size, 5)
      ok(seen.every((stamp) => typeof stamp === 'string'))
      for (const other of ['/work/file', '/work/link', '/work/none']) equal(await box.folderStamp(other), null)
      await box.stop()
      equal(await box.folderStamp('/work/made'), undefined)
    },
  },
  {
    rule: 'MACH53',
    name: 'folders that a spec names are there for everybody when it is given out, whoever the image’s user is and whatever its entry point does',
    check: async (open) => {
      const places = ['/logs/agent', '/logs/closed', '/logs/there']
      const there = 'RUN mkdir -p /logs/there /logs/closed && chmod 777 /logs/there && chmod 700 /logs/closed\n'
      const kinds = [there, '', `${there}USER nobody\n`, `${there}ENTRYPOINT ["sh", "-c", "exec sleep 1000"]\n`]
      for (const kind of kinds) {
        const dockerfile = bytesOf(`FROM bench/base:bookworm\nUSER root\n${kind}`)
        const context = [{ path: 'Dockerfile', mode: 0o644, bytes: dockerfile }]
        const image = { type: 'built' as const, context, dockerfile: 'Dockerfile', build_timeout_ms: 60_000 }
        await using box = await opened((changes) => open({ ...changes, image, places }))
        deepEqual([kind, textOf(await run(box, `stat -c '%n %a' ${places.join(' ')}; stat -c %a /logs`))], [kind, `${places.map((place) => `${place} 777\n`).join('')}755\n`]) // biome-ignore format: one comparison
      }
    },
  },
]
