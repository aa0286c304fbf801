import type { paletteTexts } from './texts.ts'

export type Kind = keyof (typeof paletteTexts)['vi']['groups']
/** A destination, or something to do here. `hint` distinguishes it from others with the same name, and is searched too. */
export type Entry = { kind: Kind; name: string; hint?: string } & ({ to: string } | { run: () => void })
