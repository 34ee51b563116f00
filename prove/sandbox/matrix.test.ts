import { expect, test } from 'vitest'
import { allAttacks } from '../../fleet/sandbox/all-attacks.ts'
import { contractRows } from '../../fleet/sandbox/attacks.ts'
import { badLimitsRow, breaches, type Cell, renderMatrix, rowCount, untried } from './matrix.ts'

const rows = Array.from({ length: rowCount }, (_, index) => index + 1)

test('[SBX20] the matrix has something to say of each of the 44 rows, and says so once', () => {
  const tried = new Set(allAttacks.map(({ row }) => row).concat(Object.keys(contractRows).map(Number), badLimitsRow))
  const told = new Set(untried('docker', {}).map(({ row }) => row))
  expect(rows.filter((row) => tried.has(row) === told.has(row))).toEqual([])
})

test('[SBX20] a program that is not contained, and a row that nothing is said of, are breaches; a reason that is known is none', () => {
  const cells: Cell[] = [
    { row: 1, name: 'bomb', kind: 'bwrap', verdict: 'contained', why: '' },
    { row: 1, name: 'bomb', kind: 'docker', verdict: 'open', why: 'exited 0' },
    { row: 2, name: 'zombies', kind: 'bwrap', verdict: 'contained', why: '' },
    { row: 2, name: 'zombies', kind: 'docker', verdict: 'contained', why: '' },
    { row: 3, name: 'not by a program', kind: 'docker', verdict: 'elsewhere', why: 'of verifiers' },
  ]
  expect(breaches(cells, ['bwrap', 'docker'], [1, 2, 3])).toEqual([
    'docker does not contain 1 (bomb): exited 0',
    'bwrap: nothing is said of row 3',
  ])
  expect(renderMatrix(cells, ['bwrap', 'docker']).split('\n')).toEqual([
    ' 1  bomb              bwrap: contained; docker: NOT CONTAINED: exited 0',
    ' 2  zombies           contained',
    ' 3  not by a program  bwrap: not tried; docker: elsewhere: of verifiers',
  ])
})
