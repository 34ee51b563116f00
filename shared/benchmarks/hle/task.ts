import { examTask } from '../exam-task.ts'
import { card } from './card.ts'

export default examTask(card, () => true)
