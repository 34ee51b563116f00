const text = { type: 'string' }
/** A small invented API description. */
export const openapi = {
  openapi: '3.1.0',
  info: { title: 'Chutes Bench Runner', version: '0.1.0', description: 'Start runs, watch them, fetch results.' },
  paths: {
    '/api/runs': {
      get: {
        tags: ['runs'],
        summary: 'List runs, newest first',
        parameters: [
          { name: 'status', in: 'query', schema: { type: 'string', enum: ['queued', 'running'] } },
          { name: 'limit', in: 'query', description: 'At most 200', schema: { type: 'integer', default: 50 } },
        ],
        responses: {
          200: {
            description: 'A page of runs',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { runs: { type: 'array', items: { $ref: '#/components/schemas/Run' } }, total: { type: 'integer' } },
                  required: ['runs', 'total'],
                },
              },
            },
          },
        },
      },
      post: {
        tags: ['runs'],
        summary: 'Start a run',
        security: [{ bearer: [] }],
        requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateRun' } } } },
        responses: { 201: { description: 'The run' }, 422: { description: 'The request is not valid (validation)' } },
      },
    },
    '/api/runs/{id}/items/{benchmark}/{item}': {
      get: {
        tags: ['items'],
        summary: 'One item',
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        responses: { 200: { description: 'The item' }, 404: { description: 'No such item' } },
      },
    },
  },
  components: {
    schemas: {
      Run: {
        type: 'object',
        properties: {
          id: text,
          status: { type: 'string', enum: ['queued', 'running', 'succeeded'] },
          overall_score: { type: ['number', 'null'] },
        },
        required: ['id', 'status'],
      },
      CreateRun: {
        type: 'object',
        properties: { model_id: { ...text, minLength: 1 }, subset_pct: { type: 'integer', minimum: 1, maximum: 100, default: 100 } },
        required: ['model_id'],
      },
    },
  },
}
