import classes from './initials.module.css'

/** A person's initials in a circle: of the last two words, which distinguish Vietnamese names: `Nguyễn Thu Hà` is TH. */
export function Initials({ name }: { name: string }) {
  const words = name.trim().split(/\s+/).slice(-2)
  return (
    <span className={classes.initials} aria-hidden>
      {words.map((word) => word.charAt(0).toUpperCase()).join('')}
    </span>
  )
}
