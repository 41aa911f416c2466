// The sign-in form. It replaces whatever page was requested, which is shown afterwards.
import { useEffect } from 'preact/hooks'
import { Logo } from '../components/logo.js'
import { SignInForm } from '../components/signInForm.js'

export default function SignIn() {
  useEffect(() => {
    document.title = 'Sign in – Bursar'
  }, [])
  return (
    <div class="door-box">
      <Logo />
      <h1>Sign in</h1>
      <p class="lead">Bursar governs what AI agents may spend.</p>
      <SignInForm />
      <p class="hint">No account yet? Ask an owner of your organization for a set-up link.</p>
    </div>
  )
}
