// Keeps an error in what it holds, when that is drawn, from taking the whole page down: what went wrong stands in its
// place, and everything around it goes on working.
import { Component, type ComponentChildren } from 'preact'
import { Failure } from './states.js'

interface Props {
  /** What is shown: when it is another, it is tried anew. */
  about: string
  children: ComponentChildren
}

interface State {
  error?: unknown
  /** What was shown when it went wrong. */
  about?: string
}

export class Boundary extends Component<Props, State> {
  override state: State = {}

  override componentDidCatch(error: unknown): void {
    this.setState({ error, about: this.props.about })
  }

  /** Whoever comes back sees it tried again. */
  override componentDidUpdate(): void {
    const { error, about } = this.state
    if (error !== undefined && about !== this.props.about) this.setState({ error: undefined })
  }

  override render() {
    const { error, about } = this.state
    if (error === undefined || about !== this.props.about) return this.props.children
    return <Failure error={error} retry={() => this.setState({ error: undefined })} />
  }
}
