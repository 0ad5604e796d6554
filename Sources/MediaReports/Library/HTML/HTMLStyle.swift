/// The style sheet of a report: light and dark, a phone's width and a desktop's, and paper.
///
/// Colors have a contrast of at least 4.5 to 1 with what is behind them, those of charts at least 3
/// to 1. Source: WCAG 2.2, 1.4.3 and 1.4.11.
enum HTMLStyle {
  static let text = """
    :root{color-scheme:light dark;--page:#fff;--panel:#f4f5f7;--ink:#1b1f24;--faint:#57606a;\
    --line:#d0d7de;--link:#0550ae;--good:#116329;--note:#7d4e00;--bad:#a40e26;--goodback:#dafbe1;\
    --noteback:#fff1c8;--badback:#ffe4e6;--imported:#1a7f37;--unchanged:#6e7781;--duplicate:#0969da;\
    --skipped:#8250df;--refused:#b35900;--unsupported:#936b00;--failed:#cf222e;--failedBefore:#a40e26;\
    --bar:#0969da}
    @media (prefers-color-scheme:dark){:root{--page:#0d1117;--panel:#161b22;--ink:#e6edf3;\
    --faint:#9ba6b2;--line:#363d47;--link:#79b8ff;--good:#6fdd8b;--note:#f0c668;--bad:#ffa198;\
    --goodback:#0f2d1a;--noteback:#33270a;--badback:#3d1418;--imported:#3fb950;--unchanged:#8b949e;\
    --duplicate:#58a6ff;--skipped:#bc8cff;--refused:#f0883e;--unsupported:#d3a72c;\
    --failed:#ff7b72;--failedBefore:#ffa198;\
    --bar:#58a6ff}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
    .skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--page);padding:8px}
    header,main,footer{max-width:72rem;margin:0 auto;padding:1rem}header,main{padding-bottom:0}
    h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}
    h2{font-size:1.25rem;margin:2.2rem 0 .6rem;border-bottom:1px solid var(--line);padding-bottom:.3rem}\
    #overview{margin-top:0}
    h3{font-size:1rem;margin:1.2rem 0 .4rem}
    p{margin:.4rem 0;max-width:60rem}
    a{color:var(--link)}
    nav ul{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;list-style:none;margin:.6rem 0;padding:0}
    .faint{color:var(--faint)}
    .path,.hash,code{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.9em;\
    overflow-wrap:anywhere;unicode-bidi:isolate}
    .banner{border-left:.5rem solid;padding:.7rem 1rem;margin:1rem 0;border-radius:.3rem}
    .banner strong{display:block;font-size:1.15rem}
    .passed{background:var(--goodback);border-color:var(--good)}.passed strong{color:var(--good)}
    .warned{background:var(--noteback);border-color:var(--note)}.warned strong{color:var(--note)}
    .failed{background:var(--badback);border-color:var(--bad)}.failed strong{color:var(--bad)}
    .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));gap:.6rem;\
    list-style:none;margin:1rem 0;padding:0}
    .tiles li{background:var(--panel);border:1px solid var(--line);border-radius:.4rem;\
    padding:.5rem .7rem;color:var(--faint);font-size:.85rem}
    .tiles b{display:block;color:var(--ink);font-size:1.4rem;font-weight:400;\
    font-variant-numeric:tabular-nums}
    .scroll{overflow-x:auto;max-width:100%}
    table{border-collapse:collapse;width:100%;font-size:.92rem}
    caption{text-align:left;color:var(--faint);padding:.3rem 0}
    th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
    thead th{border-bottom:2px solid var(--line);white-space:nowrap}
    td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
    tbody th{font-weight:600}
    .pill{display:inline-block;padding:0 .5rem;border-radius:1rem;border:1px solid currentColor;\
    font-size:.85rem;white-space:nowrap}
    .pill.allow{color:var(--good)}.pill.refuse{color:var(--bad)}.pill.rest{color:var(--note)}
    .gallery{display:grid;grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr));gap:.8rem;\
    list-style:none;padding:0;margin:.8rem 0}
    .gallery li{background:var(--panel);border:1px solid var(--line);border-radius:.4rem;overflow:hidden}
    figure{margin:0}.frame{display:flex;align-items:center;justify-content:center;height:9.5rem;\
    background:var(--page)}
    .frame img{max-width:100%;max-height:100%;display:block}
    figcaption{padding:.4rem .6rem;font-size:.82rem;overflow-wrap:anywhere}
    figcaption b{display:block}
    .filter{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center;margin:.6rem 0}
    .filter input,.filter select,.filter button{font:inherit;color:inherit;background:var(--page);\
    border:1px solid var(--faint);border-radius:.3rem;padding:.2rem .5rem}
    [hidden]{display:none!important}
    svg{display:block;max-width:100%;height:auto;margin:.5rem 0}
    svg text{fill:var(--ink);font:13px system-ui,sans-serif}
    .legend{display:flex;flex-wrap:wrap;gap:.2rem 1rem;list-style:none;padding:0;margin:.3rem 0;\
    font-size:.9rem}
    .legend i{font-style:normal}
    ol.events{padding-left:1.2rem}ol.events li{margin:.25rem 0}
    th code{white-space:nowrap;overflow-wrap:normal}
    time{font-variant-numeric:tabular-nums}
    @media (max-width:40rem){body{font-size:15px}th,td{padding:.35rem .4rem}h1{font-size:1.4rem}}
    @media print{:root{--page:#fff;--panel:#fff;--ink:#000;--faint:#444;--line:#bbb;--link:#000;\
    --good:#116329;--note:#7d4e00;--bad:#a40e26;--goodback:#fff;--noteback:#fff;--badback:#fff;\
    --imported:#1a7f37;--unchanged:#6e7781;--duplicate:#0969da;--skipped:#8250df;--refused:#b35900;\
    --unsupported:#936b00;--failed:#cf222e;--failedBefore:#a40e26;--bar:#0969da}
    body{font-size:10.5pt}nav,.skip,.filter{display:none}.scroll{overflow:visible}
    header,main,footer{max-width:none;padding:0}
    h2,h3,caption,thead{break-after:avoid}tr,li,figure,.banner,svg{break-inside:avoid}
    svg,.pill,.legend i,.banner{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    .gallery{grid-template-columns:repeat(5,1fr)}.frame{height:7rem}}
    @page{margin:15mm}

    """
}
