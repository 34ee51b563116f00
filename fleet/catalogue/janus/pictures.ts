import type { Canvas } from './canvas.ts'
import { type Bar, barChart, lineChart, lyingBars } from './charts.ts'
import { dice, noughts, scales, trafficLight } from './games.ts'
import { codeScreen, flowChart, gridMap, type Landmark, type Shape, segmentClock, shapeScene, tableOf, thermometer } from './scenes.ts'

/** What is asked of a picture: any of `expected` is right. */
export type Question = { prompt: string; expected: string[] }
export type Drawn = { file: string; canvas: Canvas; questions: Question[] }

const most = (bars: readonly Bar[]): Bar => bars.reduce((best, bar) => (bar[1] > best[1] ? bar : best))
const least = (bars: readonly Bar[]): Bar => bars.reduce((best, bar) => (bar[1] < best[1] ? bar : best))
const readOff = (bars: readonly Bar[], label: string): number => bars.find(([one]) => one === label)![1]

const visitors: Bar[] = [
  ['Jan', 320],
  ['Feb', 280],
  ['Mar', 410],
  ['Apr', 530],
  ['May', 610],
  ['Jun', 480],
]
const noon: Bar[] = [
  ['Mon', 14],
  ['Tue', 17],
  ['Wed', 11],
  ['Thu', 13],
  ['Fri', 16],
  ['Sat', 19],
  ['Sun', 22],
]
const fruit: Bar[] = [
  ['Plums', 40],
  ['Pears', 70],
  ['Apples', 90],
  ['Figs', 20],
  ['Limes', 50],
]
const months = { Jan: 'January', Feb: 'February', Mar: 'March', Apr: 'April', May: 'May', Jun: 'June' } as const
const days = { Mon: 'Monday', Tue: 'Tuesday', Wed: 'Wednesday', Thu: 'Thursday', Fri: 'Friday', Sat: 'Saturday', Sun: 'Sunday' } as const
const monthOf = ([label]: Bar): string[] => [...new Set([months[label as keyof typeof months], label])]
const dayOf = ([label]: Bar): string[] => [days[label as keyof typeof days], label]

const shapes: Shape[] = [...'rbgrgbrgybrgygrygy'].map((letter) => shapeBy(letter))
function shapeBy(letter: string): Shape {
  if (letter === 'r') return { kind: 'circle', colour: 'red' }
  if (letter === 'b') return { kind: 'square', colour: 'blue' }
  return letter === 'g' ? { kind: 'triangle', colour: 'green' } : { kind: 'circle', colour: 'yellow' }
}
const numberWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const
const counted = (count: number): string[] => [String(count), numberWords[count]!]
const howMany = (kind: Shape['kind'], colour: Shape['colour']): string[] =>
  counted(shapes.filter((one) => one.kind === kind && one.colour === colour).length)

const numbers = [3, 8, 5, 12, 7]
const code = [
  '# odd ones only',
  'def total_odd(numbers):',
  '    total = 0',
  '    for n in numbers:',
  '        if n % 2 == 1:',
  '            total += n',
  '    return total',
  '',
  `print(total_odd([${numbers.join(', ')}]))`,
]
const odd = numbers.filter((one) => one % 2 === 1).reduce((total, one) => total + one, 0)

const time = '17:42'
const sinceHalf = Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) - (17 * 60 + 30)

export const trains = [
  { to: 'Velmar', leaves: '08:15', platform: '3' },
  { to: 'Ostrel', leaves: '08:32', platform: '1' },
  { to: 'Merrow', leaves: '08:47', platform: '5' },
  { to: 'Zadar', leaves: '09:05', platform: '2' },
]

const landmarks: Landmark[] = [
  { at: 'B2', label: 'SCHOOL', colour: 'blue' },
  { at: 'E1', label: 'MILL', colour: 'brown' },
  { at: 'C4', label: 'LAKE', colour: 'purple' },
  { at: 'F3', label: 'STATION', colour: 'red' },
  { at: 'B5', label: 'FARM', colour: 'green' },
]
const landmark = (label: string): Landmark => landmarks.find((one) => one.label === label)!

const flow = [
  { text: 'Order comes' },
  { text: 'Is it paid?', aside: { word: 'no', text: 'Send reminder' } },
  { text: 'Pack goods' },
  { text: 'Weigh parcel' },
  { text: 'Ship' },
]
const degrees = 26

/** The pictures that questions are asked of, each with what is read off it; the answers are computed from what was drawn. */
export const understood: Drawn[] = [
  {
    file: 'bar-chart-visitors.png',
    canvas: barChart('Visitors of the museum', visitors, 700, 'blue'),
    questions: [
      { prompt: 'In which month did the museum have the most visitors?', expected: monthOf(most(visitors)) },
      { prompt: 'How many visitors came in March? Answer with the number.', expected: [String(readOff(visitors, 'Mar'))] },
    ],
  },
  {
    file: 'line-chart-noon.png',
    canvas: lineChart('Noon temperature in C', noon, 24, 'orange'),
    questions: [
      { prompt: 'On which day of the chart was it coldest at noon?', expected: dayOf(least(noon)) },
      {
        prompt: 'By how many degrees is it warmer on Sunday than on Monday? Answer with the number in digits.',
        expected: [String(readOff(noon, 'Sun') - readOff(noon, 'Mon'))],
      },
    ],
  },
  {
    file: 'lying-bars-fruit.png',
    canvas: lyingBars('Fruit sold in kg', fruit, 100, 20, 'green'),
    questions: [
      { prompt: 'Of which fruit was the least sold?', expected: [least(fruit)[0], least(fruit)[0].slice(0, -1)] },
      { prompt: 'How many kilograms of limes were sold? Answer with the number.', expected: [String(readOff(fruit, 'Limes'))] },
    ],
  },
  {
    file: 'shapes-to-count.png',
    canvas: shapeScene(shapes),
    questions: [
      { prompt: 'How many red circles are in the picture?', expected: howMany('circle', 'red') },
      { prompt: 'How many green triangles are in the picture?', expected: howMany('triangle', 'green') },
    ],
  },
  {
    file: 'code-total-odd.png',
    canvas: codeScreen(code),
    questions: [
      { prompt: 'What does this program print? Answer with the number.', expected: [String(odd)] },
      { prompt: 'What is the name of the function that is defined here?', expected: ['total_odd'] },
    ],
  },
  {
    file: 'segment-clock.png',
    canvas: segmentClock(time),
    questions: [
      { prompt: 'Which time does this clock show? Write it as HH:MM.', expected: [time] },
      {
        prompt: 'How many minutes have passed since half past five in the afternoon by this clock? Answer with the number only.',
        expected: [String(sinceHalf)],
      },
    ],
  },
  {
    file: 'table-departures.png',
    canvas: tableOf(
      'Departures',
      [150, 120, 130],
      [['To', 'Leaves', 'Platform'], ...trains.map((one) => [one.to, one.leaves, one.platform])],
    ),
    questions: [
      {
        prompt: 'When does the train to Merrow leave? Write the time as in the table.',
        expected: [trains.find((one) => one.to === 'Merrow')!.leaves],
      },
      { prompt: 'Where does the train on platform 1 go to?', expected: [trains.find((one) => one.platform === '1')!.to] },
    ],
  },
  {
    file: 'grid-map.png',
    canvas: gridMap(6, 5, landmarks),
    questions: [
      { prompt: 'In which square is the station? Write the letter and then the number, such as A1.', expected: [landmark('STATION').at] },
      {
        prompt: 'What is in square C4? Answer with the word on the map.',
        expected: [landmarks.find((one) => one.at === 'C4')!.label.toLowerCase()],
      },
    ],
  },
  {
    file: 'flow-chart-order.png',
    canvas: flowChart(flow),
    questions: [
      { prompt: 'What is done next when the order is not paid? Use the words of the chart.', expected: [flow[1]!.aside!.text] },
      { prompt: 'Which step comes right after "Pack goods"? Use the words of the chart.', expected: [flow[3]!.text] },
    ],
  },
  {
    file: 'thermometer.png',
    canvas: thermometer(degrees),
    questions: [
      {
        prompt: 'How many degrees Celsius does the thermometer show? One mark stands for two degrees. Answer with the number in digits.',
        expected: [String(degrees)],
      },
      {
        prompt:
          'How many degrees are missing to 40 degrees on this thermometer? One mark stands for two degrees. Answer with the number in digits.',
        expected: [String(40 - degrees)],
      },
    ],
  },
]

const thrown = [5, 3]
const board = 'XO OX  OX'
export const receipt: Bar[] = [
  ['Bread', 3.2],
  ['Cheese', 7.5],
  ['Olives', 4.1],
  ['Juice', 2.9],
]
const morning: Bar[] = [
  ['Mon', 12],
  ['Tue', 18],
  ['Wed', 9],
  ['Thu', 15],
]
const evening: Bar[] = [
  ['Mon', 8],
  ['Tue', 11],
  ['Wed', 16],
  ['Thu', 10],
]

/** Pictures that stand in a message beside text. */
export const mixedPictures = {
  dice: { file: 'dice.png', canvas: dice(thrown), thrown },
  noughts: { file: 'noughts-and-crosses.png', canvas: noughts(board), board },
  scales: { file: 'scales.png', canvas: scales({ label: 'A', colour: 'blue' }, { label: 'B', colour: 'orange' }, 'right'), heavier: 'B' },
  light: { file: 'traffic-light.png', canvas: trafficLight('red'), lit: 'red' },
  receipt: {
    file: 'receipt.png',
    canvas: tableOf('Receipt', [160, 100], [['Bought', 'Price'], ...receipt.map(([label, price]) => [label, price.toFixed(2)])]),
    receipt,
  },
  morning: { file: 'bar-chart-morning.png', canvas: barChart('Cups sold in the morning', morning, 20, 'purple'), bars: morning },
  evening: { file: 'bar-chart-evening.png', canvas: barChart('Cups sold in the evening', evening, 20, 'red'), bars: evening },
} as const
