// The sign-in form. It replaces whatever page was requested, which is shown afterwards.
import { Door } from '../components/door.js'
import { SignInForm } from '../components/signInForm.js'

export default function SignIn() {
  return (
    <Door title="Sign in" lead="Bursar governs what AI agents may spend.">
      <SignInForm />
      <p class="hint">No account yet? Ask an owner of your organization for a set-up link.</p>
    </Door>
  )
}
