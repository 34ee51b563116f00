import { pathToFileURL } from 'node:url'

const { tally } = await import(pathToFileURL('src/tally.mjs').href)
const show = (name, value) => console.log(`@@ ${name} ${JSON.stringify(value)}`)

show('plain', tally('the cat and the dog and the bird'))
show('case', tally('To be, or not to be: TO!'))
show('edges', [tally(''), tally('1 2 3'), tally("don't"), tally('x\ny\tx')])
