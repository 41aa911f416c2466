// The course of a command on one chart, with gates that all agree.
import { charts } from '../../machines/index.js'
import type { Actor, Message } from '../../src/actor/actor.js'
import { ANSWERS } from '../../src/actor/drive.js'
import { createTake } from '../../src/actor/turn.js'
import type { Ref } from '../../src/domain/gate.js'
import { traceCourse, type Course } from '../../src/inspect/turnTrace.js'

const take = createTake(charts)

export function courseOf(ref: Ref, actor: Actor | undefined, message: Message): Course {
  const course = traceCourse(charts, take, ref, actor, { message })
  let step = course.next()
  while (!step.done) {
    const { type, now, organization } = step.value.message
    step = course.next({ type: ANSWERS[type]!, now, organization })
  }
  return step.value
}
