/** Five worked examples for the profile `builtin`, written for this project. Short: they stand in every prompt and every record. */
export const examples = [
  {
    question: 'A lamp costs 60 instead of 80 crowns. How much cheaper is it?',
    options: ['20 %', '25 %', '30 %', '33 %'],
    solution: 'It is 80 - 60 = 20 crowns cheaper, and 20 / 80 = 0.25 = 25 %. The answer is (B).',
  },
  {
    question: 'Which vessels carry blood from the lungs to the heart?',
    options: ['Pulmonary arteries', 'Carotid arteries', 'Pulmonary veins'],
    solution: 'Veins lead to the heart; those of the lungs are pulmonary. The answer is (C).',
  },
  {
    question: 'How far does a car get at 20 m/s in 1.5 minutes?',
    options: ['30 m', '300 m', '1200 m', '1800 m', '3000 m'],
    solution: '1.5 minutes are 90 s, and 20 m/s times 90 s is 1800 m. The answer is (D).',
  },
  {
    question: 'How many steps does a binary search of 1000 names need at most?',
    options: ['10', '32', '100', '500'],
    solution: 'Each step halves the names, and 2 to the power 10 is 1024. The answer is (A).',
  },
  {
    question: 'All herons are birds, and no bird is a fish. What follows?',
    options: ['Some herons are fish', 'No heron is a fish', 'All birds are herons'],
    solution: 'A heron is a bird, so it is never a fish. The answer is (B).',
  },
] as const
