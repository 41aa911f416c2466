// Starts the dashboard on its page; app.tsx decides what is shown.
import { render } from 'preact'
import { App } from './app.js'
import { showInvisible } from './format/visible.js'
import { arrive } from './router.js'
import { applyTheme, chosenTheme } from './theme.js'

showInvisible()
applyTheme(chosenTheme())
arrive()
render(<App />, document.getElementById('app')!)
