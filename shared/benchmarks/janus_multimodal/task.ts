import { janusTask } from '../../janus/janus-task.ts'
import { card } from './card.ts'

export default janusTask(card)
