import { expect, test } from 'vitest'
import { fieldDescriptions, methodDocstring, readToolDoc } from './tool-docs.ts'

const source = `class Tools(Base):
    def first(
        self, a: Dict[str, Any], b: int = f(2)
    ) -> Dict[str, Any]:
        """
        Does it.
        Then:
            - more
        Args are none of these.

        Args:
            a: The first one.
            b: The second one,
                which goes on: here.

        Returns:
            c: Nothing.
        """
        x = """no docstring"""

    def second(self) -> str:
        """Says so."""

    def third(self):
        return """not this"""
`

test('[TAU5] a docstring is told as its first line, an empty one and the rest before its sections', () => {
  expect(readToolDoc(methodDocstring(source, 'first'))).toEqual({
    description: 'Does it.\n\nThen:\n    - more\nArgs are none of these.',
    parameters: new Map([
      ['a', 'The first one.'],
      ['b', 'The second one,\nwhich goes on: here.'],
    ]),
  })
  expect(readToolDoc(methodDocstring(source, 'second'))).toEqual({ description: 'Says so.', parameters: new Map() })
  expect(() => methodDocstring(source, 'third')).toThrow('no docstring of the method third')
})

test('[TAU5] fields of a model are described in its own body', () => {
  const model =
    'class A(B):\n    """A."""\n\n    x: Optional[str] = Field(\n        "y", description="What x is, if any."\n    )\n\n    def f(self):\n        pass\n\n\nclass C(B):\n    y: str = Field(\n        "z",\n        description="Of another."\n    )\n\n\nclass D(B):\n    pass\n'
  expect(fieldDescriptions(model.replace('Field(\n        "y", description', 'Field(\n        "y",\n        description'), 'A')).toEqual(
    new Map([['x', 'What x is, if any.']]),
  )
})
