// Style sheets that a page brings along: imported for being there.
declare module '*.css'
