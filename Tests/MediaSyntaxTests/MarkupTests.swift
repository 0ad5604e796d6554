import MediaSyntax
import Testing

@Suite("Markup")
struct MarkupTests {
  private static let hostile = "<b onclick=\"x\">&'</b>"

  @Test("What is interpolated is escaped, and the literal is not")
  func escaped() {
    let markup: Markup = "<p title=\"\(Self.hostile)\">\(Self.hostile)</p>"
    let text = "&lt;b onclick=&quot;x&quot;&gt;&amp;&#39;&lt;/b&gt;"
    #expect(markup.text == "<p title=\"\(text)\">\(text)</p>")
  }

  @Test("Numbers, markup and what is named raw stay as they are")
  func unescaped() {
    let (text, rule) = ("a < b", "<hr>")
    let inner: Markup = "<i>\(text)</i>"
    let markup: Markup = "<b>\(inner) \(7) \(raw: rule)</b>"
    #expect(markup.text == "<b><i>a &lt; b</i> 7 <hr></b>")
  }

  @Test("A name is isolated, and parts are put behind each other")
  func parts() {
    var markup = ["a", "<"].map { Markup.isolated($0) }.joined(separator: " · ")
    let text = ">"
    markup += "\(text)"
    #expect((markup + "<br>").text == "<bdi>a</bdi> · <bdi>&lt;</bdi>&gt;<br>")
    #expect(Markup("").isEmpty && [Markup]().joined().isEmpty)
  }
}
