// Prints how many tokens of Swift each file has, without comments, blanks and imports, so that layout changes nothing.
// Made and run by tokens.sh.
import Foundation
import SwiftParser
import SwiftSyntax

for path in CommandLine.arguments.dropFirst() {
  let tree = Parser.parse(source: try String(contentsOfFile: path, encoding: .utf8))
  let statements = tree.statements.filter { !$0.item.is(ImportDeclSyntax.self) }
  let count = statements.reduce(0) { count, statement in
    count + statement.tokens(viewMode: .sourceAccurate).reduce(0) { count, _ in count + 1 }
  }
  print(count, path)
}
