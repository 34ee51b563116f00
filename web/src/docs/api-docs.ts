import { query } from '@solidjs/router'
import * as z from 'zod'
import { type Answer, ask } from '../api.ts'
import { origin } from '../ui/origin.ts'
import { type ApiDocs, type OpenApi, readOpenApi } from './read-openapi.ts'

const Document = z.looseObject({ paths: z.record(z.string(), z.unknown()) })

/** The API's own description, cut down to what the docs page shows. */
export const getApiDocs = query(async (): Promise<Answer<ApiDocs>> => {
  const answer = await ask(Document, '/api/openapi.json')
  return answer.ok ? { ok: true, value: readOpenApi(answer.value as unknown as OpenApi, origin()) } : answer // our own document, made by the edge
}, 'api-docs')
