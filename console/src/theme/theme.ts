import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import { byFoldedText, keepEnter } from './pickers.ts'

/**
 * From the lightest background to the darkest ink. White text is readable on 5 in the dark theme and on 8 in the light
 * theme.
 */
const indigo: MantineColorsTuple = [
  '#eceffa',
  '#dbe1f6',
  '#c0caee',
  '#9eace3',
  '#7d8fd6',
  '#5a6dc0',
  '#465bb3',
  '#364b9f',
  '#2b3f8c',
  '#22326f',
]
const jade: MantineColorsTuple = [
  '#e4f3ec',
  '#cae7da',
  '#a3d6c0',
  '#74c09f',
  '#46a77f',
  '#1f7d58',
  '#1d7a55',
  '#197250',
  '#176b4a',
  '#10513a',
]
const lacquer: MantineColorsTuple = [
  '#fbe9e7',
  '#f6d0cc',
  '#eeaaa4',
  '#e37f77',
  '#d5564c',
  '#c23b31',
  '#bb3128',
  '#b12a21',
  '#a8231b',
  '#821a14',
]
const amber: MantineColorsTuple = [
  '#fdf0db',
  '#f9dfb6',
  '#f2c681',
  '#e6a94b',
  '#d08c24',
  '#9b5f06',
  '#955a03',
  '#8f5601',
  '#8a5200',
  '#693e00',
]
const paper: MantineColorsTuple = [
  '#faf8f4',
  '#f4f0e9',
  '#e8e2d8',
  '#d3cabb',
  '#b3a999',
  '#918778',
  '#6f665a',
  '#5e564c',
  '#3c362f',
  '#201c18',
]
const ink: MantineColorsTuple = [
  '#f1eee8',
  '#c9c4ba',
  '#aaa498',
  '#7d7870',
  '#484551',
  '#2f2d37',
  '#25242c',
  '#1c1b22',
  '#131218',
  '#0c0b10',
]

/** Our design in Mantine's terms. Screens use Mantine's colour names, each of which is one of our colours. */
export const theme = createTheme({
  colors: {
    indigo,
    blue: indigo,
    cyan: indigo,
    grape: indigo,
    teal: jade,
    green: jade,
    red: lacquer,
    yellow: amber,
    orange: amber,
    gray: paper,
    dark: ink,
  },
  black: '#201c18',
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 5 },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '28px' },
  fontFamily: '"Be Vietnam Pro", system-ui, sans-serif',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '17px', xl: '22px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.45', lg: '1.4', xl: '1.3' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '30px', lineHeight: '1.25' },
      h2: { fontSize: '22px', lineHeight: '1.3' },
      h3: { fontSize: '17px', lineHeight: '1.35' },
      h4: { fontSize: '14px', lineHeight: '1.45' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Alert: { defaultProps: { variant: 'light', radius: 'lg' } },
    Loader: { defaultProps: { size: 'sm' } },
    Menu: { defaultProps: { shadow: 'md' } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        overlayProps: { backgroundOpacity: 0.45 },
        // The dialog's header must not count as the page's header.
        attributes: { header: { role: 'presentation' } },
      },
    },
    Paper: { defaultProps: { radius: 'lg' } },
    Select: { defaultProps: { filter: byFoldedText, onKeyDown: keepEnter, selectFirstOptionOnChange: true } },
  },
})

const ROLES = {
  indigo: 'indigo',
  blue: 'indigo',
  cyan: 'indigo',
  grape: 'indigo',
  teal: 'jade',
  green: 'jade',
}
const WRONG = { red: 'lacquer', yellow: 'amber', orange: 'amber' }

/** The values that Mantine would derive from its palettes, made from our tokens, which change with the colour scheme. */
export const themeVariables: CSSVariablesResolver = () => {
  const tints = Object.fromEntries(
    Object.entries({ ...ROLES, ...WRONG }).flatMap(([name, role]) => [
      [`--mantine-color-${name}-light`, `var(--${role}-soft)`],
      [`--mantine-color-${name}-light-hover`, `color-mix(in srgb, var(--${role}-soft), var(--${role}) 10%)`],
      [`--mantine-color-${name}-light-color`, `var(--${role})`],
      [`--mantine-color-${name}-text`, `var(--${role})`],
      [`--mantine-color-${name}-outline`, `var(--${role})`],
    ]),
  )
  const roles = {
    ...tints,
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-bright': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-3)',
    '--mantine-color-placeholder': 'var(--ink-3)',
    '--mantine-color-anchor': 'var(--indigo)',
    '--mantine-color-error': 'var(--lacquer)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--sunk)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-disabled': 'var(--sunk)',
    '--mantine-color-disabled-color': 'var(--ink-3)',
    '--mantine-color-disabled-border': 'var(--line)',
    '--mantine-color-gray-light': 'var(--sunk)',
    '--mantine-color-gray-light-hover': 'var(--line)',
    '--mantine-color-gray-light-color': 'var(--ink-2)',
    '--mantine-color-gray-text': 'var(--ink-2)',
    '--mantine-primary-color-light': 'var(--indigo-soft)',
    '--mantine-primary-color-light-color': 'var(--indigo)',
    '--mantine-shadow-md': 'var(--float)',
  }
  return { variables: {}, light: roles, dark: roles }
}
