// Zooming and panning a picture in a box that scrolls: by buttons, keys, the wheel, a pinch, and by dragging. The point
// under the pointer stays where it is.
import { useEffect, useRef, useState } from 'preact/hooks'

const LEAST = 0.25
const MOST = 3
const STEP = 1.25
/** How much a turn of the wheel zooms, by its distance in pixels. */
const PER_PIXEL = 0.002

export interface Zoom {
  /** 1 is full size. */
  scale: number
  by: (steps: number) => void
  fit: () => void
  full: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

interface Box {
  current: HTMLElement | null
}

interface Point {
  x: number
  y: number
}

const bounded = (scale: number): number => Math.min(MOST, Math.max(LEAST, scale))

/** `width` is that of the picture at full size. */
export function useZoom(box: Box, width: number | undefined, initial: number): Zoom {
  const [scale, setScale] = useState(initial)
  const latest = useRef(scale)
  latest.current = scale
  useEffect(() => setScale(initial), [initial])
  const zoomTo = (next: number, around?: Point): void => {
    const shown = box.current
    if (!shown) return
    const { left, top } = shown.getBoundingClientRect()
    const at = around
      ? { x: around.x - left, y: around.y - top }
      : { x: shown.clientWidth / 2, y: shown.clientHeight / 2 }
    const factor = bounded(next) / latest.current
    const [x, y] = [(shown.scrollLeft + at.x) * factor - at.x, (shown.scrollTop + at.y) * factor - at.y]
    latest.current = bounded(next)
    setScale(latest.current)
    // The picture has its new size after the next render.
    requestAnimationFrame(() => shown.scrollTo(x, y))
  }
  const fit = (): void => zoomTo(width ? box.current!.clientWidth / width : 1)
  const by = (steps: number): void => zoomTo(latest.current * STEP ** steps)
  usePointers(box, (factor, around) => zoomTo(latest.current * factor, around))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const act = { '+': () => by(1), '=': () => by(1), '-': () => by(-1), '0': fit, '1': () => zoomTo(1) }[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return { scale, by, fit, full: () => zoomTo(1), onKeyDown }
}

/**
 * The wheel with Ctrl, which is also the pinch of a touchpad, or without it once the box has the focus; two fingers on
 * a screen. One pointer drags; a finger scrolls by itself.
 */
function usePointers(box: Box, zoom: (factor: number, around: Point) => void): void {
  const latest = useRef(zoom)
  latest.current = zoom
  useEffect(() => {
    const shown = box.current!
    const pointers = new Map<number, Point>()
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== shown) return
      event.preventDefault()
      latest.current(Math.exp(-event.deltaY * PER_PIXEL), { x: event.clientX, y: event.clientY })
    }
    const onDown = (event: PointerEvent): void => {
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
      if (event.pointerType === 'mouse') shown.setPointerCapture(event.pointerId)
    }
    const onMove = (event: PointerEvent): void => {
      const before = pointers.get(event.pointerId)
      if (!before) return
      const now = { x: event.clientX, y: event.clientY }
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
      pointers.set(event.pointerId, now)
      if (other) latest.current(distance(now, other) / distance(before, other), middle(now, other))
      else if (event.pointerType === 'mouse') shown.scrollBy(before.x - now.x, before.y - now.y)
    }
    const onUp = ({ pointerId }: PointerEvent): void => void pointers.delete(pointerId)
    const listeners = { wheel: onWheel, pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointercancel: onUp }
    for (const [name, listen] of Object.entries(listeners)) {
      shown.addEventListener(name, listen as EventListener, { passive: false })
    }
    return () => {
      for (const [name, listen] of Object.entries(listeners)) shown.removeEventListener(name, listen as EventListener)
    }
  }, [])
}

const distance = (one: Point, other: Point): number => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y))
const middle = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 })
