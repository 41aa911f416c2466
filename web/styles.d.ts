// Style sheets of pages, imported for their effect.
declare module '*.css'
