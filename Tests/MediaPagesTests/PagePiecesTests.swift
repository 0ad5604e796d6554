import MediaPages
import MediaSyntax
import Testing

@Suite("Pieces of pages")
struct PagePiecesTests {
  @Test("Parts, optional ones and those of a condition stand in order, and texts are escaped")
  func interpolations() {
    let (none, some): (Markup?, Markup?) = (nil, "<i>")
    let parts: [Markup] = ["<a>", "<b>"]
    let name = "<&>"
    let markup: Markup = """
      \(parts)\(none)\(some)\("<u>", if: true)\("<s>", if: false)\(isolated: name)\(["x", "<"].map { "(\($0))" })
      """
    #expect(markup.text == "<a><b><i><u><bdi>&lt;&amp;&gt;</bdi>(x)(&lt;)")
    let counts: Markup = "\(grouped: 1234) \(1, "file") \(2000, "file")"
    #expect(counts.text == "1,234 1 file 2,000 files")
    let icon: Markup = "\(icon: "heart")"
    #expect(icon.text == "<svg class=\"i\" aria-hidden=\"true\"><use href=\"#i-heart\"/></svg>")
  }

  @Test("A head has the title escaped, and ends with the link past what is on top")
  func head() {
    let head = Markup.head(
      "A <title>",
      metas: "<meta name=\"a\">\n",
      files: "<link>\n",
      body: " class=\"x\"",
      symbols: Array("<svg></svg>\n".utf8),
      content: "page"
    )
    let expected = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
      <meta name="a">
      <title>A &lt;title&gt;</title>
      <link>
      </head>
      <body class="x">
      <svg></svg>
      <a class="skip" href="#page">Skip to the content</a>

      """
    #expect(head.text == expected)
  }

  @Test("A table has a header in each row, and numbers have their class")
  func table() {
    let table = PageTable("Files <1>", ["name", "bytes", "note"], numbers: 1..<2)
    let expected = """
      <div class="scroller" tabindex="0" role="region" aria-label="Files &lt;1&gt;"><table>
      <caption>Files &lt;1&gt;</caption>
      <thead><tr><th scope="col">name</th><th scope="col" class="n">bytes</th><th scope="col">note</th></tr></thead>
      <tbody>
      <tr><th scope="row">&lt;</th><td class="n">1,000</td><td><b></td></tr>
      </tbody>
      </table></div>

      """
    #expect(table([[.plain("<"), .number(1000), "<b>"]]).text == expected)
    let row = table.row(["a"], attributes: " id=\"b\"")
    #expect(row.text == "<tr id=\"b\"><th scope=\"row\">a</th></tr>\n")
  }
}
