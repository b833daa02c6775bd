"""Evidence bundles: one self-contained HTML file that shows a critical note, its proof and its log, and checks itself.

The last station before an auditor. Nothing in the file comes from afar, no word of a transcript can run or pass for
another part, and whatever it shows fits a hash that it holds. What that proves and what not stands in
docs/critical-notes.md.
"""

from core.service.bundle.checking import Checked, check_bundle
from core.service.bundle.contract import MOST
from core.service.bundle.making import bundle

__all__ = ["MOST", "Checked", "bundle", "check_bundle"]
