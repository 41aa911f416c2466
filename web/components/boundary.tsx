// Catches rendering errors of its content, so that they do not take the whole page down: the error is shown in its
// place, and everything around it still works.
import { Component, type ComponentChildren } from 'preact'
import { Failure } from './loadingStates.js'

interface Props {
  /** What is shown: when it changes, rendering is tried again. */
  about: string
  children: ComponentChildren
}

interface State {
  error?: unknown
  /** What was shown when the error occurred. */
  about?: string
}

export class Boundary extends Component<Props, State> {
  override state: State = {}

  override componentDidCatch(error: unknown): void {
    this.setState({ error, about: this.props.about })
  }

  /** Coming back to the page tries again. */
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
