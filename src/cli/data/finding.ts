// What one check of bursar doctor found.

export interface Finding {
  name: string
  state: 'ok' | 'warning' | 'failed'
  text: string
}

export const passedCheck = (name: string, text: string): Finding => ({ name, state: 'ok', text })
export const warning = (name: string, text: string): Finding => ({ name, state: 'warning', text })
export const failedCheck = (name: string, text: string): Finding => ({ name, state: 'failed', text })
