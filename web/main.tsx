// Starts the dashboard on its page. What is shown where is app.tsx; this only begins.
import { render } from 'preact'
import { App } from './app.js'
import { arrive } from './router.js'
import { applyTheme, chosenTheme } from './theme.js'

applyTheme(chosenTheme())
arrive()
render(<App />, document.getElementById('app')!)
