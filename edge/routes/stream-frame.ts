import * as z from 'zod'

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** What a reader of server-sent events has of one message about a trial while it runs. */
export const LiveFrame = z.object({
  retry: z.int().min(0).optional(),
  data: z.string().meta({ contentMediaType: 'application/json', contentSchema: component('LiveMessage') }),
})

/** What a reader of server-sent events has of one event of a run's stream; comments and a lone `retry` are no events. */
export const StreamFrame = z.object({
  id: z.string().regex(/^\d+$/).optional(),
  event: z.enum(['message', 'done']).optional(),
  retry: z.int().min(0).optional(),
  data: z.string().meta({
    contentMediaType: 'application/json',
    contentSchema: {
      anyOf: [
        component('StreamedEvent'),
        {
          type: 'object',
          properties: {
            event_type: { const: 'snapshot' },
            id: { type: 'integer', description: 'Number of the last event that the state contains' },
            message: { type: 'string', description: 'The state in a sentence' },
            created_at: { type: 'string', description: 'When the state was read, in UTC' },
            head: component('RunHead'),
          },
          required: ['event_type', 'id', 'message', 'created_at', 'head'],
        },
        { type: 'object', maxProperties: 0 },
      ],
    },
  }),
})
