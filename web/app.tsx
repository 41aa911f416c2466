// What is shown: the sign-in form for people who have not signed in, else the page at the current address, inside the
// shell.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Announcements } from './announce.js'
import { Boundary } from './components/boundary.js'
import { Failure, Loading } from './components/loadingStates.js'
import { match, usePlace, type Place } from './router.js'
import type { PageProps } from './page.js'
import { NOT_FOUND, ROUTES, SETUP, SIGN_IN, SIGN_IN_AGAIN, type Route } from './routes.js'
import { SessionProvider, useSession } from './session.js'
import { Shell } from './shell.js'

export function App() {
  return (
    <SessionProvider>
      <Whole />
      <Announcements />
    </SessionProvider>
  )
}

/** After an error outside the page there is still a way to start again. */
function Whole() {
  const place = usePlace()
  return (
    <Boundary about={place.path}>
      <Content place={place} />
    </Boundary>
  )
}

function Content({ place }: { place: Place }) {
  const { signedIn, isOver, error, refresh } = useSession()
  // Its code is fetched while the session is read; a failure is shown when the page is.
  useEffect(
    () =>
      void pageAt(place.path)
        .load()
        .catch(() => undefined),
    [],
  )
  if (place.path === 'setup') return <Door load={SETUP} place={place} />
  if (signedIn === 'nobody') return <Door load={SIGN_IN} place={place} />
  if (signedIn === undefined) {
    return (
      <main class="door">
        {error === undefined ? <Loading /> : <Failure error={error} retry={() => void refresh()} />}
      </main>
    )
  }
  const { load, params } = pageAt(place.path)
  const { member, organization } = signedIn
  return (
    // The key discards the page when another person signs in.
    <Shell key={`${organization.id} ${member.id}`} place={place}>
      <Boundary about={`${place.path}?${place.query.toString()}`}>
        <Lazy key={place.path} load={load} params={params} query={place.query} />
      </Boundary>
      {isOver && <Lazy load={SIGN_IN_AGAIN} params={{}} query={place.query} />}
    </Shell>
  )
}

function Door({ load, place }: { load: Route['load']; place: Place }) {
  return (
    <main class="door">
      <Lazy key={place.path} load={load} params={{}} query={place.query} />
    </main>
  )
}

function pageAt(path: string): Pick<Route, 'load'> & Pick<PageProps, 'params'> {
  for (const { pattern, load } of ROUTES) {
    const params = match(pattern, path)
    if (params !== undefined) return { load, params }
  }
  return { load: NOT_FOUND, params: {} }
}

/** A page's code is fetched when it is first shown. */
function Lazy({ load, ...props }: PageProps & Pick<Route, 'load'>) {
  const [page, setPage] = useState<{ Page: ComponentType<PageProps> }>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    let isShown = true
    load().then(
      ({ default: Page }) => isShown && setPage({ Page }),
      (cause: unknown) => isShown && setError(cause),
    )
    return () => {
      isShown = false
    }
  }, [load])
  if (error !== undefined) return <Failure error={error} retry={() => location.reload()} />
  if (page === undefined) return <Loading />
  return <page.Page {...props} />
}
