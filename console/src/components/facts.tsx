import type { ReactNode } from 'react'
import classes from './facts.module.css'

/** Facts of a record, each with its name, which is unique; a fact without a value is left out. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <table className={classes.facts}>
      <tbody>
        {facts
          .filter(([, value]) => value !== undefined && value !== null && value !== '')
          .map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
