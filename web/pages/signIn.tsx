// The form to sign in with. It stands in the place of whatever page was asked for, which is there afterwards.
import { useEffect } from 'preact/hooks'
import { Mark } from '../components/mark.js'
import { SignInForm } from '../components/signInForm.js'

export default function SignIn() {
  useEffect(() => {
    document.title = 'Sign in – Bursar'
  }, [])
  return (
    <div class="door-box">
      <Mark />
      <h1>Sign in</h1>
      <p class="lead">Bursar governs what AI agents may spend.</p>
      <SignInForm />
      <p class="hint">No account yet? Whoever manages your organization's members can send you a set-up link.</p>
    </div>
  )
}
