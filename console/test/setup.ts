import { beforeEach } from 'vitest'

/** `.ci/run` sets it, in seconds since 1970: tests that begin later are skipped, because the run has a limit. */
const beginBefore = Number(process.env.BROWSER_TESTS_BEGIN_BEFORE ?? Number.POSITIVE_INFINITY)

beforeEach(({ skip }) => skip(Date.now() / 1000 > beginBefore, 'no time was left for it'))
