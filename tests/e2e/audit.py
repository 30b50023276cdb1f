"""What an accessibility checker (axe-core) has to say about a page."""

from playwright.sync_api import Page

from tests.e2e.demo import ROOT

AXE = ROOT / "web-client/node_modules/axe-core/axe.min.js"
AUDIT = """async () => {
    const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html} ${node.failureSummary}`));
}"""


def objections(page: Page) -> list[str]:
    """Every rule that is broken, with the element and the cure."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(AUDIT)
    return [str(line) for line in found]
