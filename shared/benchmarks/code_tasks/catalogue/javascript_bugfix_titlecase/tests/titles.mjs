import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const stringify = JSON.stringify
const observe = (name, value) => writeSync(1, `\n@@ ${name} ${stringify(value)}\n`)
const load = (path) => import(pathToFileURL(join(process.cwd(), path)).href)

const { titleCase } = await load('src/title-case.js')
const { formatCatalog } = await load('src/format-catalog.js')

const groups = {
  plain: ['the wind in the reeds: a history', 'a', 'of', 'THE', 'salt', 'An Atlas Of The Sky', 'bread and butter', 'into the woods', 'what we came for'],
  spaces: ['', '   ', '\t the\n  old   sea\u00a0wall ', 'one\u2003two', ' x '],
  apostrophes: ["don't panic", "the captain's table", "rock 'n' roll", "o'brien at home", "l’été à la mer", "'tis the season"],
  accents: ['élan vital', 'über den wolken', 'ÉCOLE DES FEMMES', 'ночь и день', 'straße nach osten', 'ﬁne print', 'smörgåsbord of the north'],
  hyphens: ['state-of-the-art', 'the art-of', 'mother-in-law and father-in-law', 'a - b', 'the well--tempered clavier', '-of- the -sea-', 'a jack-in-the-box for the king', 'up-to', 'what are you up-to'],
  abbreviations: ['NASA and the moon', 'the U.S. navy', 'THE NASA FILES', 'how the BBC-TV began', 'OF mice', 'mice OF men', 'A plan B', "JFK's last day", 'notes on HTML5', 'X', 'an A to Z of tea', 'the 3D printer', '(NATO) at sea'],
  marks: ['who goes there? the night watch', 'stop! in the name of love', 'part one: of ghosts', 'he said "no." and left', '(the end)', 'the (of) thing', '"hello" and "the" world', 'the 3rd man', '“why?” a question', 'no, of course', 'first . and second', 'what?-of it', 'what? - of it', 'one: "the two"', 'chapter 2. the fall', "what is 'this?' and that", 'why (how?) [in time]', 'tea & of rice', 'wait… for it'],
  last: ['something to look for', 'something to look for!', 'what is it for?" ...', 'nothing to look at -', 'the', 'the of', 'by and by', 'look at 7'],
  astral: ['𐐨𐐩 language', 'the 𐐨 of x', '🎈 the balloon', 'the balloon of 🎈', '𐐀𐐁 of names'],
}
for (const [name, texts] of Object.entries(groups)) observe(name, texts.map((text) => titleCase(text)))

observe('formatted', formatCatalog([
  { title: 'the zoo', year: 1990 },
  { title: "a dog's day", year: 2001 },
  { title: 'the  zoo ', year: 1987 },
  { title: 'NASA at 50', year: 2008 },
  { title: 'nasal drip', year: 1999 },
]))
observe('twice', Object.values(groups).flat().filter((text) => titleCase(titleCase(text)) !== titleCase(text)))
