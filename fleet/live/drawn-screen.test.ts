import { expect, test } from 'vitest'
import { screenLines } from '#shared/terminal/draw-screen.ts'
import { openScreen } from '#shared/terminal/screen.ts'
import { writeOutput } from '#shared/terminal/write-output.ts'
import { drawnScreen } from './drawn-screen.ts'

const clean = (text: string): string => text.replaceAll('very-secret-key', '[key]')
function screenOf(output: string, columns = 20, rows = 6) {
  const screen = openScreen({ columns, rows })
  writeOutput(screen, output)
  return screen
}
const shown = (drawn: ReturnType<typeof drawnScreen>): string[] => {
  const screen = openScreen(drawn)
  writeOutput(screen, drawn.text)
  return screenLines(screen)
}

test('[LIVE6] a secret on a screen is taken out, also one in colours and one that goes on in the next row', () => {
  const plain = drawnScreen(screenOf('\u001b[31mred\u001b[m\r\nx'), clean)
  expect(plain.text).toContain('\u001b[0;31mred')
  for (const output of [
    'key: very-secret-key\r\nend',
    'key: very-\u001b[1msecret\u001b[m-key\r\nend',
    'the key is: very-secret-key\r\nend',
    'the key is: very-sec\u001b[2;1Hret-key\r\nend',
    'very-secr\u001b[1;1Hvery-secret-key\r\nend',
  ]) {
    const drawn = drawnScreen(screenOf(output), clean)
    expect([drawn.text.includes('[key]'), /secret|ret-key/.test(drawn.text.replaceAll(/\u001b\[[\d;]*m/g, ''))], output).toEqual([
      true,
      false,
    ])
    expect(shown(drawn).some((line) => line.endsWith('end'))).toBe(true)
  }
})

test('[LIVE3] a screen of too many colours is told without them, and one of any size within a bound', () => {
  const colours = Array.from({ length: 160 * 40 }, (_, at) => `\u001b[38;2;${at % 256};1;2mx`).join('')
  const drawn = drawnScreen(screenOf(colours, 160, 40), clean)
  expect([drawn.text.includes('\u001b'), drawn.text.length < 7000]).toEqual([false, true])
  expect(JSON.stringify(drawnScreen(screenOf('y'.repeat(100_000), 500, 200), clean)).length).toBeLessThan(21_000)
})
