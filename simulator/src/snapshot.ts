import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type IssuedToken, oaOf, type State, type Template } from './state.ts'

type Snapshot = {
  version: 2
  nextTemplateId: number
  templates: Template[]
  oas: { id: string; name?: string; tokenGeneration: number }[]
  media: { id: string; type: string; sizeBytes: number }[]
  tokens: [string, IssuedToken][]
  refreshTokens: [string, { oaId: string; expiresAt: number }][]
  usedRefreshTokens: string[]
}

/** The format from before refresh tokens expired. Its refresh tokens are dropped, the rest is kept. */
type FirstSnapshot = Omit<Snapshot, 'version' | 'refreshTokens'> & { version: 1 }

const SAVE_DELAY_MS = 200

/**
 * Keeps templates and tokens in a file, so that a shop's templates are still approved after a restart. Messages are not
 * kept. Returns a function that saves immediately.
 */
export function keepSnapshot(state: State, path: string): () => void {
  load(state, path)
  let timer: NodeJS.Timeout | undefined
  const save = () => {
    clearTimeout(timer)
    timer = undefined
    const snapshot: Snapshot = {
      version: 2,
      nextTemplateId: state.nextTemplateId,
      templates: [...state.templates.values()],
      oas: [...state.oas.values()].map(({ id, name, tokenGeneration }) => ({ id, name, tokenGeneration })),
      media: [...state.media.values()].map(({ id, type, sizeBytes }) => ({ id, type, sizeBytes })),
      tokens: [...state.tokens],
      refreshTokens: [...state.refreshTokens],
      usedRefreshTokens: [...state.usedRefreshTokens],
    }
    writeFileSync(`${path}.new`, JSON.stringify(snapshot), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  state.onChange = () => {
    timer ??= setTimeout(save, SAVE_DELAY_MS).unref()
  }
  return save
}

function load(state: State, path: string): void {
  const snapshot = read(path)
  if (!snapshot) return
  state.nextTemplateId = snapshot.nextTemplateId
  for (const { id, ...kept } of snapshot.oas) Object.assign(oaOf(state, id), kept)
  for (const template of snapshot.templates) {
    state.templates.set(template.id, template)
    oaOf(state, template.oaId).templates.push(template)
  }
  for (const media of snapshot.media) state.media.set(media.id, { ...media, bytes: undefined })
  state.tokens = new Map(snapshot.tokens)
  state.refreshTokens = new Map(snapshot.refreshTokens)
  state.usedRefreshTokens = new Set(snapshot.usedRefreshTokens)
}

function read(path: string): Snapshot | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
  const snapshot: Snapshot | FirstSnapshot = JSON.parse(text)
  if (snapshot.version === 1) return { ...snapshot, version: 2, refreshTokens: [] }
  if (snapshot.version !== 2)
    throw new Error(`${path} was written by another version; remove it to start with an empty state`)
  return snapshot
}
