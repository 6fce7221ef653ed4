//! `run [--ccsid N] [--plain] [--list] [--time] FILE... [--parm TEXT]`: compile and run the first program, with the others callable.

use program::batch::BatchHost;
use program::module::Module;
use program::rununit::Ended;
use std::time::Instant;

/// Copybooks of one directory.
struct Directory(Option<String>);

impl cobol::source::CopyResolver for Directory {
    fn resolve(&self, name: &str, _: Option<&str>) -> Option<cobol::source::CopyMember> {
        let directory = self.0.as_ref()?;
        let candidates = [format!("{name}.cpy"), format!("{}.cpy", name.to_lowercase()), name.to_string(), format!("{name}.CPY")];
        let path = candidates.iter().map(|name| std::path::Path::new(directory).join(name)).find(|path| path.exists())?;
        let bytes = std::fs::read(&path).ok()?;
        Some(cobol::source::CopyMember { name: path.display().to_string(), bytes })
    }
}

fn main() {
    let mut options = cobol::Options { codepage: 37, ..cobol::Options::default() };
    let mut settings = codegen::Settings { verify: false, ..codegen::Settings::default() };
    let (mut files, mut timed, mut parameter) = (Vec::new(), false, None);
    let (mut check, mut copies) = (false, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--ccsid" => options.codepage = arguments.next().and_then(|value| value.parse().ok()).expect("a number"),
            "--plain" => settings.effort = codegen::Effort::None,
            "--verify" => settings.verify = true,
            "--time" => timed = true,
            "--check" => check = true,
            "--copy" => copies = arguments.next(),
            "--parm" => parameter = arguments.next(),
            "--option" => {
                options.apply(&arguments.next().unwrap_or_default());
            }
            _ => files.push(argument),
        }
    }
    let mut modules = Vec::new();
    for file in &files {
        let text = std::fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let start = Instant::now();
        let resolver = Directory(copies.clone());
        let compiled = cobol::compile_source(file, &text, &options, &resolver);
        let parsed = start.elapsed();
        if !compiled.is_usable() {
            eprintln!("{file}: {:#?}", compiled.diagnostics);
            std::process::exit(12);
        }
        let start = Instant::now();
        let image = codegen::compile(&compiled.programs, &settings).unwrap_or_else(|error| {
            eprintln!("{file}: {error}");
            std::process::exit(16)
        });
        if timed {
            eprintln!("{file}: front end {parsed:?}, code {:?}, {} bytes", start.elapsed(), image.code.len());
        }
        if let Ok(path) = std::env::var("DUMP_CODE") {
            std::fs::write(path, &image.code).expect("code file");
        }
        modules.push(Module::from_bytes(&image.to_bytes()).expect("the module loads"));
    }
    if check {
        return;
    }
    let mut host = BatchHost::new(std::io::stdout());
    host.input = Box::new(std::io::BufReader::new(std::io::stdin()));
    for module in &modules[1..] {
        host.add(module);
    }
    let start = Instant::now();
    let (ended, return_code) = host.run(&modules[0], parameter.as_deref());
    if timed {
        eprintln!("ran {:?}", start.elapsed());
    }
    if let Ended::Abended(failure) = ended {
        eprintln!("{}", failure.text());
        std::process::exit(16);
    }
    std::process::exit(return_code);
}
