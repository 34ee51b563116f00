/** A variable of the environment that does not say what it should; the message names it and what it must be, for whoever set it. */
export class BadSetting extends Error {
  override readonly name = 'BadSetting'
}
