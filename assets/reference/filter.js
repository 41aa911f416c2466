// Filters the reference by what is typed, and lets code be copied. Without it everything is there to read.
const search = document.getElementById('search')
const filter = document.getElementById('filter')
const links = [...document.querySelectorAll('nav li a')].filter((link) =>
  document.querySelector(`${link.hash}.operation`),
)

/** Shows the operations whose method, path or summary has every word, and the groups that have such. */
function show() {
  const words = filter.value.toLowerCase().split(/\s+/)
  for (const link of links) {
    const text = link.textContent.toLowerCase()
    const isHidden = !words.every((word) => text.includes(word))
    link.parentElement.hidden = isHidden
    document.querySelector(link.hash).hidden = isHidden
  }
  for (const list of document.querySelectorAll('nav h2 + ul')) {
    const isEmpty = [...list.children].every(({ hidden }) => hidden)
    list.previousElementSibling.hidden = isEmpty
    document.querySelector(list.previousElementSibling.firstElementChild.hash).hidden = isEmpty
  }
}

function addCopyButton(pre) {
  const button = document.createElement('button')
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.querySelector('code').textContent)
    button.textContent = 'Copied'
  })
  pre.append(button)
}

search.hidden = false
filter.addEventListener('input', show)
// Browsers have a clipboard on secure pages and on this machine alone.
if (navigator.clipboard !== undefined) document.querySelectorAll('pre').forEach(addCopyButton)
