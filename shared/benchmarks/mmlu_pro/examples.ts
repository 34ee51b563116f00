/** Five worked examples for the profile `builtin`, written for this project. */
export const examples = [
  {
    question: 'A shop lowers the price of a lamp from 80 to 60 crowns. By what share of the old price did it go down?',
    options: ['15 %', '20 %', '25 %', '30 %', '33 %', '40 %'],
    solution:
      'The price falls by 80 - 60 = 20 crowns. As a share of the old price this is 20 / 80 = 0.25, which is 25 %. The answer is (C).',
  },
  {
    question: 'Which blood vessels carry blood from the lungs back to the heart?',
    options: ['Pulmonary arteries', 'Coronary arteries', 'Pulmonary veins', 'Carotid arteries', 'Portal veins'],
    solution:
      'Veins lead towards the heart, arteries away from it. The vessels between lungs and heart are called pulmonary. So the vessels asked for are the pulmonary veins. The answer is (C).',
  },
  {
    question: 'A car moves at a steady 20 m/s for 1.5 minutes. How far does it get?',
    options: ['30 m', '180 m', '300 m', '900 m', '1200 m', '1500 m', '1800 m', '3000 m'],
    solution: 'The time is 1.5 minutes = 90 s. At a steady speed the distance is 20 m/s times 90 s = 1800 m. The answer is (G).',
  },
  {
    question:
      'A list of 1000 sorted names is searched by always halving the part that is left. About how many comparisons are needed at most?',
    options: ['10', '32', '100', '500', '1000'],
    solution:
      'Every comparison halves the number of names that are left. Since 2 to the power 10 is 1024, ten halvings are enough to get from 1000 names to one. The answer is (A).',
  },
  {
    question: 'All herons are birds, and no bird is a fish. What follows?',
    options: ['Some herons are fish', 'No heron is a fish', 'All birds are herons', 'Some fish are birds'],
    solution: 'Each heron is a bird, and a bird is never a fish. Therefore no heron can be a fish. The answer is (B).',
  },
] as const
