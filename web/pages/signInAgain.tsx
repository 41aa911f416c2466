// The sign-in form over a page whose session has ended: the input on the page stays. It is closed only by signing in,
// or by leaving the page.
import { useEffect, useId, useRef } from 'preact/hooks'
import { SignInForm } from '../components/signInForm.js'
import { useSession, useSignedIn } from '../session.js'

export default function SignInAgain() {
  const box = useRef<HTMLDialogElement>(null)
  const id = useId()
  const { member } = useSignedIn()
  const { leave } = useSession()
  // A browser may close it despite the request to keep it open.
  const stay = (): void => box.current?.showModal()
  useEffect(() => {
    const before = document.activeElement
    stay()
    return () => before instanceof HTMLElement && before.focus()
  }, [])
  const away = (
    <button type="button" onClick={leave}>
      Sign out
    </button>
  )
  return (
    <dialog ref={box} aria-labelledby={id} onCancel={(event) => event.preventDefault()} onClose={stay}>
      <header class="dialog-head">
        <h2 id={id}>Your session has expired</h2>
      </header>
      <div class="dialog-body">
        <p>Sign in again to continue. Your unsaved input is kept.</p>
        <SignInForm known={member.email} beside={away} />
      </div>
    </dialog>
  )
}
