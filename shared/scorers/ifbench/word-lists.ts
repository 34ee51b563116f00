const list = (words: string): readonly string[] => words.trim().split(/\s+/)

/** The fifty first names that the prompts of `count:person_names` offer. */
export const personNames = list(`
  Emma Liam Sophia Jackson Olivia Noah Ava Lucas Isabella Mason Mia Ethan Charlotte Alexander Amelia Benjamin Harper Leo Zoe Daniel Chloe
  Samuel Lily Matthew Grace Owen Abigail Gabriel Ella Jacob Scarlett Nathan Victoria Elijah Layla Nicholas Audrey David Hannah Christopher
  Penelope Thomas Nora Andrew Aria Joseph Claire Ryan Stella Jonathan`)

/** The English pronouns that `count:pronouns` counts since May 2026. */
export const pronouns = list(`
  all any anybody anyone anything both each either everybody everyone everything he her hers herself him himself his i it its itself me mine
  my myself neither nobody none nothing our ours ourselves she some somebody someone something that their theirs them themselves these they
  this those us we what whatever which whichever who whoever whom whomever whose you your yours yourself yourselves`)

/** European capitals above 45 degrees of latitude, from north to south. */
export const northernCapitals = list(`
  Reykjavik Helsinki Oslo Tallinn Stockholm Riga Moscow Copenhagen Vilnius Minsk Dublin Berlin Amsterdam Warsaw London Brussels Prague
  Luxembourg Paris Vienna Bratislava Budapest Vaduz Chisinau Bern Ljubljana Zagreb`)
