import { describe, expect, it } from 'vitest'
import { type ApiDocument, breakingChanges, unannounced } from '../../tools/document/breaking-changes.ts'

type Operation = ApiDocument['paths'][string][string]
type Schema = NonNullable<NonNullable<Operation['parameters']>[number]['schema']>

const text = { type: 'string' }
const json = (schema: Schema) => ({ content: { 'application/json': { schema } } })
const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const documentOf = (operation: Operation): ApiDocument => ({
  paths: { '/things': { post: { operationId: 'createThing', ...operation } } },
})
const found = (before: Operation, after: Operation) =>
  breakingChanges(documentOf(before), documentOf(after)).map(({ what }) => what)
const ofBody = (before: Schema, after: Schema) =>
  found({ requestBody: json(before) }, { requestBody: json(after) })
const ofResponse = (before: Schema, after: Schema) =>
  found({ responses: { 200: json(before) } }, { responses: { 200: json(after) } })
const ofQuery = (before: Operation['parameters'], after: Operation['parameters']) =>
  found({ parameters: before ?? [] }, { parameters: after ?? [] })

describe('a breaking change of the API document', () => {
  it('is an operation, a name, a status or a media type that is gone', () => {
    expect(breakingChanges(documentOf({}), { paths: {} })).toEqual([
      { operation: 'POST /things', operationId: 'createThing', what: 'is gone' },
    ])
    expect(found({}, { operationId: 'makeThing' })).toEqual(['is called makeThing'])
    expect(found({ responses: { 200: {}, 202: {} } }, { responses: { 200: {} } })).toEqual(['202 is gone'])
    expect(found({ responses: { 200: json(text) } }, { responses: { 200: {} } })).toEqual([
      '200 as application/json is gone',
    ])
  })

  it('is a field of a response that is gone, may be missing, or is of a further type', () => {
    const whole = object({ data: object({ name: text, code: text }, ['name']) })
    expect(ofResponse(whole, object({ data: object({ name: text }, ['name']) }))).toEqual([
      '200 data code is gone',
    ])
    expect(ofResponse(whole, object({ data: object({ name: text, code: text }) }))).toEqual([
      '200 data name may be missing',
    ])
    expect(ofResponse(text, { anyOf: [text, { type: 'null' }] })).toEqual([
      '200 is string or null, was string',
    ])
    expect(ofResponse({ type: 'array', items: text }, { type: 'array', items: { type: 'integer' } })).toEqual(
      ['200[] is integer, was string'],
    )
  })

  it('is a request that is no longer taken', () => {
    expect(ofBody(object({ name: text }), object({ name: text, price: text }, ['price']))).toEqual([
      'body price is required',
    ])
    expect(ofBody(object({ name: text, price: text }), object({ name: text }))).toEqual([
      'body price is gone',
    ])
    expect(ofBody({ anyOf: [text, { type: 'null' }] }, text)).toEqual(['body is string, was string or null'])
    expect(ofBody({ type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['a'] })).toEqual([
      'body does not take "b"',
    ])
    expect(ofBody(text, { type: 'string', enum: ['a'] })).toEqual(['body takes only "a"'])
    const page = { in: 'query', name: 'page', schema: { type: 'integer' } }
    expect(ofQuery([page], [])).toEqual(['query page is gone'])
    expect(ofQuery([page], [{ ...page, required: true }])).toEqual(['query page is required'])
    expect(found({}, { requestBody: { required: true, ...json(text) } })).toEqual(['a body is required'])
  })

  it('is found behind references', () => {
    const before = { ...documentOf({ requestBody: json({ $ref: '#/components/schemas/Thing' } as Schema) }) }
    const named = (thing: Schema) => ({ ...before, components: { schemas: { Thing: thing } } })
    expect(breakingChanges(named(object({})), named(object({ name: text }, ['name'])))).toEqual([
      { operation: 'POST /things', operationId: 'createThing', what: 'body name is required' },
    ])
  })

  it('is nothing that only adds: a field, a status, an optional parameter, a value of a response', () => {
    expect(ofResponse(object({ name: text }), object({ name: text, more: text }, ['name']))).toEqual([])
    expect(ofResponse({ type: 'string', enum: ['a'] }, { type: 'string', enum: ['a', 'b'] })).toEqual([])
    expect(ofBody({ type: 'string', enum: ['a'] }, { type: 'string', enum: ['a', 'b'] })).toEqual([])
    expect(ofBody(object({ name: text }, ['name']), object({ name: text, more: text }))).toEqual([])
    expect(ofQuery([], [{ in: 'query', name: 'page' }])).toEqual([])
    expect(found({ responses: {} }, { responses: { 200: json(text) } })).toEqual([])
    expect(breakingChanges({ paths: {} }, documentOf({}))).toEqual([])
  })

  it('is announced by a line of the changelog that begins with Breaking and names the operation', () => {
    const changes = breakingChanges(documentOf({}), { paths: {} })
    expect(unannounced(changes, '- `createThing` is gone\n')).toEqual(changes)
    expect(
      unannounced(changes, '# 2\n\n- Breaking: things are\n  made elsewhere, not by `POST /things`.\n'),
    ).toEqual([])
    expect(unannounced(changes, '# 2\n\n- Breaking: `createThing` is gone.\n')).toEqual([])
    expect(unannounced(changes, '# 2\n\n- Breaking: `createThings` is gone.\n')).toEqual(changes)
  })
})
